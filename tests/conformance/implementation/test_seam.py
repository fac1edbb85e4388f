"""The store seam over the protocol: its methods, its shapes, and what a host plants."""

import copy
from pathlib import Path

import pytest

from dsh_conformance.backends.named import memory
from dsh_conformance.implementation import wire
from dsh_conformance.implementation.host import PLANTED_IN_RESULT, Host
from dsh_conformance.implementation.inprocess import InProcessLauncher
from dsh_conformance.implementation.jsonrpc import METHOD_NOT_FOUND, RpcError
from dsh_conformance.implementation.outcome import Ok
from dsh_conformance.implementation.seam import SEAM_METHODS
from dsh_conformance.implementation.smoke import smoke
from dsh_spec.values import Json

HEADER: dict[str, Json] = {"version": 0, "id": "a", "createdAt": 1}
EVENTS: list[Json] = [{"type": "turn/start", "seq": 0, "time": 1, "data": {"turn": 1}}]


@pytest.fixture
def launcher() -> InProcessLauncher:
    return InProcessLauncher(factory=memory, config={"seam": "store"})


def test_every_method_has_its_shapes() -> None:
    assert all(wire.is_method(method, "store") for method in SEAM_METHODS)


def test_the_seams_share_names_and_not_shapes() -> None:
    params: dict[str, Json] = {"id": "a", "events": []}
    assert wire.problem("store/append", "params", params, "store") is None
    assert wire.problem("store/append", "params", params, "handle") is not None


def test_a_session_goes_through(launcher: InProcessLauncher, tmp_path: Path) -> None:
    connection = launcher.launch(tmp_path)
    connection.call("store/create", {"header": HEADER})
    connection.call("store/append", {"id": "a", "events": EVENTS})
    loaded = connection.call("store/load", {"id": "a"})
    assert isinstance(loaded, Ok)
    assert connection.call("store/inspect", {"id": "a"}) == loaded
    listed = connection.call("store/list", {})
    assert listed == Ok({"headers": [HEADER]})
    connection.close()


def test_it_can_be_smoked(launcher: InProcessLauncher) -> None:
    claims = smoke(launcher).store
    assert claims is not None
    assert (claims.seam, claims.format) == ("store", 0)


def test_a_handle_is_no_matter_of_this_seam(tmp_path: Path) -> None:
    host = Host(memory, {"seam": "store"})
    host.handle("initialize", {"protocol": 1, "workspace": str(tmp_path)})
    with pytest.raises(RpcError) as refused:
        host.handle("store/open", {"id": "a", "access": "read"})
    assert refused.value.code == METHOD_NOT_FOUND


def test_a_result_is_changed_after_it_was_sent(tmp_path: Path) -> None:
    """A backend that hands out what it keeps would show the mark."""
    host = Host(memory, {"seam": "store"})
    host.handle("initialize", {"protocol": 1, "workspace": str(tmp_path)})
    host.handle("store/create", {"header": dict(HEADER)})
    host.handle("store/append", {"id": "a", "events": copy.deepcopy(EVENTS)})
    first = host.handle("store/inspect", {"id": "a"})
    assert PLANTED_IN_RESULT not in first
    assert host.handle("store/inspect", {"id": "a"}) == first
