"""The first probe: whether the implementation can be driven at all.

Of a store, one short session is written, read back, and looked for by a second instance on the same
workspace; an implementation of pure tracks alone is started and ended twice.
Only the driving is judged: an answer that the protocol allows passes here, however wrong, and the
rules judge it later; no answer is a fault, and so are claims that this version cannot certify.
"""

import tempfile
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TypeAlias

from dsh_conformance.implementation.capabilities import Capabilities, StoreClaims
from dsh_conformance.implementation.connection import Connection, Launcher
from dsh_conformance.implementation.outcome import Diagnosis, Fault, Ok, Outcome, Refused
from dsh_conformance.implementation.places import with_layout
from dsh_conformance.tracks import PURE, TRACKS
from dsh_reference.header import VERSION
from dsh_spec.values import Json, JsonObject

#: The formats in which this version certifies the handle seam.
HANDLES = (3, VERSION)

_ID = "smoke"

_HEADER: Mapping[str, Json] = {
    "version": VERSION,
    "id": _ID,
    "createdAt": 1_700_000_000_000,
    "isSeeded": False,
    "delegationDepth": 0,
    "cwd": "/smoke",
}

# The smallest turn that a v4 log may hold: facts, persistence §4.11 and events §5, §7.1.
_BATCH: tuple[JsonObject, ...] = (
    {"type": "turn/start", "seq": 0, "time": 1_700_000_000_001, "data": {"turn": 1}},
    {
        "type": "user/message",
        "seq": 1,
        "time": 1_700_000_000_002,
        "data": {
            "id": "message-1",
            "role": "user",
            "content": [{"type": "text", "text": "hello"}],
            "source": {"kind": "user"},
        },
        "surfaceOp": "append",
    },
    {
        "type": "turn/end",
        "seq": 2,
        "time": 1_700_000_000_003,
        "data": {"turn": 1, "reason": {"kind": "completed"}},
    },
)


_Work: TypeAlias = Callable[[Connection], None]


def smoke(launcher: Launcher, tracks: Collection[str] = ()) -> Capabilities:
    """Drive the implementation through one small session, twice, and return what it claims.

    *tracks* are those that will be judged, all of them where there are none: of a store that is not
    among them nothing is asked.
    Raises `Fault` when it cannot be driven or claims nothing that this version certifies.
    """
    judges_store = not tracks or "store" in tracks
    with tempfile.TemporaryDirectory(prefix="dsh-smoke-") as directory:
        first, second = Path(directory, "first"), Path(directory, "second")
        first.mkdir()
        second.mkdir()
        capabilities = _life(launcher, first, second, _written if judges_store else None)
        _life(launcher, first, second, _found if judges_store else None)
    return capabilities


def _life(launcher: Launcher, workspace: Path, other: Path, work: _Work | None) -> Capabilities:
    connection = launcher.launch(workspace)
    found = connection.capabilities
    try:
        if work is not None:
            _check_claims(found)
        if work is not None and found.store is not None:
            work(connection)
            _must(connection, "store/closeWorkspace", {})
            _must(connection, "store/openWorkspace", {"workspace": str(other)})
            connection.call("store/list", {})
        capabilities = with_layout(connection, other) if work is _written else found
        connection.close()
    finally:
        connection.kill()
    return capabilities


def _written(connection: Connection) -> None:
    if _by_id(connection):
        connection.call("store/create", {"header": _header_of(connection)})
        connection.call("store/append", {"id": _ID, "events": list(_BATCH)})
        _asked_by_id(connection)
        return
    handle = _number(connection.call("store/create", {"header": _header_of(connection)}))
    if handle is not None:
        connection.call("store/append", {"handle": handle, "events": list(_BATCH)})
        connection.call("store/flush", {"handle": handle})
    _looked_at(connection, handle)


def _found(connection: Connection) -> None:
    if _by_id(connection):
        _asked_by_id(connection)
        return
    opened = connection.call("store/open", {"id": _ID, "access": "write"})
    _looked_at(connection, _number(opened))


def _by_id(connection: Connection) -> bool:
    """Say whether the store is of the older seam, whose calls name sessions by id."""
    claims = connection.capabilities.store
    return claims is not None and claims.seam == "store"


def _header_of(connection: Connection) -> JsonObject:
    """Return the header in the format that the store claims."""
    claims = connection.capabilities.store
    version = VERSION if claims is None else claims.format
    header = {**_HEADER, "version": version}
    return header if version > 1 else {k: v for k, v in header.items() if k != "isSeeded"}


def _asked_by_id(connection: Connection) -> None:
    connection.call("store/load", {"id": _ID})
    connection.call("store/inspect", {"id": _ID})
    connection.call("store/readFrom", {"id": _ID, "fromSeq": 0})
    connection.call("store/list", {})
    connection.call("store/listSnapshots", {})
    connection.call("store/locate", {"id": _ID})


def _looked_at(connection: Connection, handle: int | None) -> None:
    if handle is not None:
        connection.call("store/read", {"handle": handle})
    connection.call("store/flush", {})
    connection.call("store/stat", {"id": _ID})
    connection.call("store/list", {})
    connection.call("store/locate", {"id": _ID})
    if handle is not None:
        connection.call("store/close", {"handle": handle})


def _must(connection: Connection, method: str, params: JsonObject) -> None:
    outcome = connection.call(method, params)
    if isinstance(outcome, Refused):
        what = f"refused {method}, which must always succeed: {outcome.message}"
        raise Fault(Diagnosis(blame="adapter", what=what))


def _number(outcome: Outcome) -> int | None:
    match outcome:
        case Ok({"handle": int() as handle}):
            return handle
    return None


def is_certified(store: StoreClaims) -> bool:
    """Tell whether this version certifies such a store."""
    return store.seam == "store" or store.format in HANDLES


def _check_claims(capabilities: Capabilities) -> None:
    store = capabilities.store
    if store is None:
        if not capabilities.others.keys().isdisjoint(PURE):
            return
        others = ", ".join(capabilities.others)
        what = f"it claims {others} alone; this version certifies {', '.join(TRACKS)}"
    elif not is_certified(store):
        what = (
            f'it claims a store of seam "handle" and format {store.format}; '
            f"this version certifies that seam of the formats {' and '.join(map(str, HANDLES))}"
        )
    else:
        return
    raise Fault(Diagnosis(blame="suite", what=what))
