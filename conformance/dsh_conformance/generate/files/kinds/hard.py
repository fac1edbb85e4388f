"""Rows that no reader may take for damage, wherever they stand.

Source: facts events §9 (INV-HARD-ADMISSION), persistence §4.5; those of v3 shown to the real
runtime by tests/real/files/test_v3.py, those of v4 by the golden cases.
"""

from collections.abc import Iterator

from dsh_conformance.generate.files.basis import Basis, lines
from dsh_conformance.generate.files.kind import PLAIN, Kind, Make
from dsh_conformance.generate.files.kinds.damage import Bad, gap, no_json
from dsh_conformance.generate.files.specimen import Made, reads, refused
from dsh_conformance.generate.files.spelling import plain
from dsh_conformance.generate.formats import Format
from dsh_conformance.generate.tape import Tape
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import JsonObject

_KINDS = (
    RefusalKind.CORRUPT,
    RefusalKind.UNSUPPORTED_FORMAT,
    RefusalKind.UNSUPPORTED_MIGRATION,
)
_CONFIG: JsonObject = {"config": {"provider": "p", "model": "m"}}
_PLUGIN: JsonObject = {"kind": "plugin", "plugin": "x"}
_MESSAGE: JsonObject = {"id": "m", "role": "user", "content": [], "source": _PLUGIN}


def _row(kind: str, **data: object) -> JsonObject:
    return {"type": kind, "seq": 9, "time": 0, "data": data}  # type: ignore[dict-item]


#: Of both formats.
_BOTH: tuple[tuple[str, JsonObject], ...] = (
    ("a tool/code-dispatch", _row("tool/code-dispatch")),
    ("a tool/code-dispatch-start", _row("tool/code-dispatch-start")),
    ("a request/header with a prompt", _row("request/header", header={**_CONFIG, "system": "x"})),
    ("a request/header without a header", _row("request/header")),
    ("a system/message without a message", _row("system/message", turn=1, step=1)),
)
#: Of v4 alone.
_NEW: tuple[tuple[str, JsonObject], ...] = (
    ("a message from a plugin", _row("user/message", **_MESSAGE)),
    ("a malformed developer/message", _row("developer/message", turn=1, step=1)),
    ("a malformed tool/result", _row("tool/result", turn=1, step=1)),
)


def _behind(first: Bad, row: JsonObject) -> Make:
    def make(basis: Basis, tape: Tape) -> Made:
        return refused(basis.file(lines([first(basis.count, tape), plain(row)])), *_KINDS)

    return make


def _not_looked_at(row: JsonObject) -> Make:
    def make(basis: Basis, tape: Tape) -> Made:
        kept = basis.file()
        data = kept + lines([no_json(basis.count, tape), plain(row)])
        return reads(basis, data, committed=len(kept))

    return make


def kinds() -> Iterator[Kind]:
    """Return them."""
    slug = "INV-HARD-ADMISSION"
    both: tuple[Format, ...] = (3, 4)
    for says, row in _BOTH:
        yield Kind(slug, f"{says} lies behind a gap", _behind(gap, row), both, PLAIN)
        make = _not_looked_at(row)
        yield Kind(slug, f"{says} lies behind no JSON", make, (3,), PLAIN, migrating=True)
    for says, row in _NEW:
        yield Kind(slug, f"{says} lies behind a gap", _behind(gap, row), (4,), PLAIN)
    for says, row in (*_BOTH, *_NEW):
        yield Kind(slug, f"{says} lies behind no JSON", _behind(no_json, row), (4,), PLAIN)
