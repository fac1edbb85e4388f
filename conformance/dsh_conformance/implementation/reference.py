"""The reference as an implementation under test: it answers the three pure tracks."""

from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

from dsh_conformance import __version__
from dsh_conformance.backends.zstd import Zstd
from dsh_conformance.implementation.backend import Refuse
from dsh_conformance.implementation.capabilities import Capabilities, ImplementationInfo
from dsh_conformance.implementation.port import PureMethod
from dsh_conformance.implementation.reference_core import CORE_METHODS
from dsh_reference.files import (
    Compression,
    batch_lines,
    decode_row,
    encode_row,
    header_line,
    log_path,
    read_log,
)
from dsh_reference.header import check_header
from dsh_reference.migrate import migrate, read_children
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_spec.catalogue import Format
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject

#: The formats that the reference knows.
FORMATS: tuple[int, ...] = (0, 1, 2, 3, 4)

_CLAIMS: JsonObject = {
    "core": {"formats": list(FORMATS)},
    "migration": {"from": list(FORMATS[:-1]), "to": FORMATS[-1]},
    "files": {"formats": list(FORMATS), "compression": ["none", "zstd"]},
}

_Params: TypeAlias = Mapping[str, Any]
_Answer = TypeVar("_Answer")


class Reference:
    """The reference behind the adapter protocol."""

    @property
    def capabilities(self) -> Capabilities:
        """It claims every pure track that it answers, for every format."""
        info = ImplementationInfo(name="reference", version=__version__, language="Python")
        return Capabilities(implementation=info, store=None, others=_CLAIMS, hostile_values=True)

    @property
    def methods(self) -> Mapping[str, PureMethod]:
        """What it answers."""
        return _METHODS


def reference(_workspace: Path, _config: Mapping[str, str]) -> Reference:
    """Return the reference; it needs no workspace and has nothing to configure."""
    return Reference()


def _migrate(params: _Params) -> Json:
    log = SessionLog(
        header=params["header"],
        inherited=params["inheritedEventCount"],
        events=tuple(params["events"]),
    )
    # Without `children` nobody looked for them, which is not to say that there are none.
    children = _kept(read_children(params["children"])) if "children" in params else None
    moved = _kept(migrate(log, to=params["to"], children=children))
    return _log(moved.header, moved.inherited, moved.events)


def _read(params: _Params) -> Json:
    compression: Compression = params["compression"]
    found = _kept(
        read_log(
            b64decode(params["base64"]),
            compression=compression,
            decompressor=Zstd().inflate() if compression == "zstd" else None,
            format=params["format"],
        )
    )
    log = _log(found.header, found.inherited, found.events)
    return {**log, "committedBytes": found.committed_bytes, "torn": found.torn}


def _write(params: _Params) -> Json:
    format_: Format = params["format"]
    header = _checked(params["header"], format_)
    seq, pieces = 0, [header_line(header, params["inheritedEventCount"])]
    for batch in params["batches"]:
        for event in batch:
            _check_event(event, seq, format_)
            seq += 1
        pieces.append(batch_lines(batch, format_))
    if params["compression"] == "zstd":
        zstd = Zstd()
        pieces = [zstd.frame(piece) for piece in pieces if piece]
    return {"base64": b64encode(b"".join(pieces)).decode("ascii")}


def _path(params: _Params) -> Json:
    format_: Format = params["format"]
    header = _checked(params["header"], format_)
    if not header["id"]:
        raise Refuse(RefusalKind.INVALID_ARGUMENT, "an empty id names no directory")
    return {"path": log_path(header, params["compression"], format_)}


def _log(header: JsonObject, inherited: int, events: Sequence[Json]) -> dict[str, Json]:
    return {"header": header, "inheritedEventCount": inherited, "events": list(events)}


def _checked(header: Json, format_: Format) -> JsonObject:
    """Return a logical header of a format; raises `Refuse` for what is none."""
    refusal = check_header(header, format_)
    if refusal is not None:
        raise Refuse(refusal.kind, str(refusal), refusal.rule)
    assert isinstance(header, Mapping)
    return header


def _check_event(event: Json, seq: int, format_: Format) -> None:
    """Raise `Refuse` for what no row of a format can hold at a place."""
    row = encode_row(event) if isinstance(event, Mapping) else event
    found = decode_row(row, seq, format_)
    if isinstance(found, Refusal):
        is_gap = found.rule == "ENV-SEQ-CONTIGUOUS"
        kind = RefusalKind.SEQ_MISMATCH if is_gap else RefusalKind.INVALID_EVENT
        raise Refuse(kind, str(found), found.rule)


def _kept(answer: _Answer | Refusal) -> _Answer:
    """Return the answer; raises `Refuse` for a refusal."""
    if isinstance(answer, Refusal):
        raise Refuse(answer.kind, str(answer), answer.rule)
    return answer


_METHODS: Mapping[str, PureMethod] = MappingProxyType(
    {
        **CORE_METHODS,
        "migration/migrate": _migrate,
        "files/read": _read,
        "files/write": _write,
        "files/path": _path,
    }
)
