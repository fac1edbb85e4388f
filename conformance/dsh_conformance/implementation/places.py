"""Whether a store's files lie where the specification has them.

No claim says so, and only what is seen counts: one session is stored, and its file lies at the path
that follows from its header.  Whoever keeps sessions in files of the harness's format may lay them
out in another way, and then nobody but the store can put an older log before it.
"""

from pathlib import Path

from attrs import evolve

from dsh_conformance.implementation.capabilities import Capabilities, compression_of
from dsh_conformance.implementation.connection import Connection
from dsh_conformance.implementation.outcome import Ok
from dsh_reference.files import log_path
from dsh_spec.values import JsonObject

_HEADER: JsonObject = {
    "version": 4,
    "id": "dsh-conformance~places",
    "createdAt": 1_700_000_000_000,
    "isSeeded": False,
    "cwd": "/dsh/conformance-places:1",
}


def with_layout(connection: Connection, workspace: Path) -> Capabilities:
    """Return what an implementation claims, with what is seen of its layout in *workspace*.

    The workspace is open, and no other session is in it.
    """
    found = connection.capabilities
    claims = found.store
    if claims is None or claims.seam != "handle" or claims.artifacts is None:
        return found
    header = {**_HEADER, "version": claims.format}
    documented = log_path(header, compression_of(claims.artifacts))
    path = _path_of(connection, header)
    seen = path is not None and Path(path).resolve() == (workspace / documented).resolve()
    return evolve(found, store=evolve(claims, layout=seen))


def _path_of(connection: Connection, header: JsonObject) -> str | None:
    """Store an empty session and return where it lies, if the store does and says so."""
    match connection.call("store/create", {"header": header}):
        case Ok({"handle": int() as handle}):
            connection.call("store/flush", {"handle": handle})
            located = connection.call("store/locate", {"id": header["id"]})
            connection.call("store/close", {"handle": handle})
        case _:
            return None
    match located:
        case Ok({"path": str(path)}):
            return path
    return None
