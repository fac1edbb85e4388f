"""Field reports that no golden case can tell, asked of the reference and of the real cores.

A golden case shows a fork in the newest format and no appends.
"""

from collections.abc import Iterator
from typing import Any, TypeAlias

import pytest
from attrs import frozen

from dsh_conformance.implementation.connection import Connection
from dsh_conformance.implementation.hostile import HOSTILE_NAMES
from dsh_conformance.implementation.inprocess import InProcessLauncher
from dsh_conformance.implementation.names import resolve
from dsh_conformance.implementation.outcome import Ok
from dsh_conformance.implementation.reference import reference

Raw: TypeAlias = dict[str, Any]
CHILD = {"id": "child", "createdAt": 9}
CORES = [("dsh", 4), ("dsh-v3", 3), ("dsh-v0", 0)]


@frozen(kw_only=True)
class Core:
    """A core that answers for one format."""

    connection: Connection
    format: int

    def ask(self, method: str, **params: Any) -> Any:
        """Return the result, or the kind of the refusal."""
        header = {"version": self.format, "id": "s", "createdAt": 1, "isSeeded": False}
        headed = {"header": header} if method in ("fork", "append") else {}
        given = {"format": self.format, **headed, **params}
        outcome = self.connection.call(f"core/{method}", given)
        return outcome.value if isinstance(outcome, Ok) else str(outcome.kind)

    def log(self) -> list[Raw]:
        """Return a turn that ended, and another that only began."""
        return [
            _event(0, "turn/start", turn=1),
            self.said(1),
            _event(2, "step/start", turn=1, step=1),
            self.answered(3, 1),
            _event(4, "step/end", turn=1, step=1),
            _event(5, "turn/end", turn=1, reason={"kind": "completed"}),
            _event(6, "turn/start", turn=2),
            self.said(7),
        ]

    def said(self, seq: int, *shadowed: int) -> Raw:
        """Return a message of the user, in the place of the nodes that it cites."""
        message = {"id": f"u{seq}", "role": "user", "content": [], "source": {"kind": "user"}}
        if not shadowed:
            return {**_event(seq, "user/message", **message), "surfaceOp": "append"}
        start, end = ("start", "end") if self.format < 3 else ("startSeq", "endSeq")
        operation = {"op": "replace", start: shadowed[0], end: shadowed[-1]}
        sources = {"surfaceOp": operation, "sourceEventSeqs": [*shadowed]}
        return {**_event(seq, "user/message", **message), **sources}

    def answered(self, seq: int, turn: int) -> Raw:
        """Return an answer of the model."""
        source = {"kind": "model", "provider": "p", "model": "m"}
        content = [{"type": "text", "text": "ok"}]
        message = {"id": f"a{seq}", "role": "assistant", "content": content, "source": source}
        stream: Raw = {"stream": []} if self.format > 1 else {}
        data = {"turn": turn, "step": 1, "message": message, **stream}
        return {**_event(seq, "assistant/message", **data), "surfaceOp": "append"}


def _event(seq: int, kind: str, **data: Any) -> Raw:
    return {"type": kind, "seq": seq, "time": 100 + seq, "data": data}


@pytest.fixture(
    scope="module",
    params=[*CORES, *(("reference", version) for _, version in CORES)],
    ids=lambda core: "-".join(map(str, core)),
)
def core(
    request: pytest.FixtureRequest,
    older_runtimes: None,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Core]:
    name, version = request.param
    ours = InProcessLauncher(factory=reference, describe="the reference")
    launcher = ours if name == "reference" else resolve(name, (), {}, deadline=60)
    connection = launcher.launch(tmp_path_factory.mktemp("core"))
    yield Core(connection=connection, format=version)
    connection.close()


def test_f21_what_is_no_boundary(core: Core) -> None:
    for boundary in (4.1, -1, 99):
        asked = core.ask("fork", events=core.log(), child=CHILD, boundary=boundary)
        assert asked == "invalid-boundary"


def test_f21_older_formats_fork_between_turns(core: Core) -> None:
    for given in ({"boundary": 4}, {"boundary": 7}, {}):
        forked = core.ask("fork", events=core.log(), child=CHILD, **given)
        if core.format < 4:
            assert forked == "open-turn"
        else:
            assert forked["events"][-1]["data"]["reason"] == {"kind": "forked"}


def test_f21_a_child_begins_with_what_it_inherits(core: Core) -> None:
    forked = core.ask("fork", events=core.log(), child=CHILD, boundary=5)
    *prefix, marker = forked["events"]
    assert prefix == core.log()[:6]
    assert (marker["type"], marker["seq"]) == ("session/end-seed", 6)
    assert marker["data"] == ({} if core.format == 0 else {"inherited": True})
    assert forked["inheritedEventCount"] == 6
    assert forked["header"]["parentSession"] == "s"


def test_f22_a_fork_of_a_compacted_log_shows_what_its_source_shows(core: Core) -> None:
    compacted = [
        *core.log(),
        _event(8, "step/start", turn=2, step=1),
        core.answered(9, 2),
        _event(10, "step/end", turn=2, step=1),
        core.said(11, 1, 3),
        core.said(12, 11, 7),
        _event(13, "turn/end", turn=2, reason={"kind": "completed"}),
    ]
    forked = core.ask("fork", events=compacted, child=CHILD)["events"]
    assert forked[:14] == compacted
    for events in (compacted, forked):
        assert core.ask("fold", events=events)["nodes"] == [12, 9]
        shown = core.ask("derive", events=events)["messages"]
        assert [message["id"] for message in shown] == ["u12", "a9"]


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_f25_what_is_no_json_is_not_appended(core: Core, name: str) -> None:
    new: Raw = {"events": core.log(), "time": 5, "type": "acme/new"}
    assert core.ask("append", **new, data={"a": {"$hostile": name}}) == "not-json"
    assert core.ask("append", **new, data=None)["event"]["seq"] == 8
