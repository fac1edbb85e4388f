"""Header lines that are none of their format.

Source: facts events §2, persistence §4.3, §4.7, migration §1.1; field report F16; each shown to the
real runtime by tests/real/files/test_headers.py.
"""

from collections.abc import Iterator

from dsh_conformance.generate.files.basis import Basis
from dsh_conformance.generate.files.kind import Kind, Make
from dsh_conformance.generate.files.specimen import Made, refused
from dsh_conformance.generate.files.spelling import plain
from dsh_conformance.generate.formats import FORMATS, Format
from dsh_conformance.generate.tape import Tape
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject

_OLDER: tuple[Format, ...] = (0, 1, 2, 3)
_SINCE_V2: tuple[Format, ...] = (2, 3, 4)
_EITHER = (RefusalKind.CORRUPT, RefusalKind.UNSUPPORTED_FORMAT)
_NEWER = (RefusalKind.UNSUPPORTED_FORMAT,)

#: Members that no header of any format has so.
_WRONG: tuple[tuple[str, JsonObject], ...] = (
    ("a strange key", {"acme": 1}),
    ("a fraction of a time", {"createdAt": 0.5}),
    ("a time before 1970", {"createdAt": -1}),
    ("a time beyond the safe integers", {"createdAt": 2**53}),
    ("a depth below zero", {"delegationDepth": -1}),
    ("another origin", {"origin": "fork"}),
    ("a null parent", {"parentSession": None}),
    ("a number for a preset", {"agentPreset": 1}),
    ("another type", {"type": "Session"}),
)
#: Keys that are required of each.
_REQUIRED = ("createdAt", "delegationDepth", "type")
#: First lines that hold no header.
_LINES: tuple[tuple[str, bytes], ...] = (
    ("a list", b"[1]"),
    ("null", b"null"),
    ("blank", b""),
    ("no JSON", b"session"),
)


def _with(*kinds: RefusalKind, **members: Json) -> Make:
    def make(basis: Basis, _: Tape) -> Made:
        return refused(basis.file(header=_line({**basis.head, **members})), *kinds)

    return make


def _without(key: str) -> Make:
    def make(basis: Basis, _: Tape) -> Made:
        head = {name: value for name, value in basis.head.items() if name != key}
        return refused(basis.file(header=_line(head)))

    return make


def _instead(line: bytes) -> Make:
    return lambda basis, _: refused(basis.file(header=line + b"\n"))


def _another_version(basis: Basis, tape: Tape) -> Made:
    """A log under the name of another format; the header suits the version that it states."""
    others = [version for version in FORMATS if version != basis.format]
    version = tape.one_of(others)
    head: dict[str, Json] = {**basis.head, "version": version}
    if version < 2:
        head.pop("isSeeded", None)
    else:
        head.pop("seedLength", None)
        head.setdefault("isSeeded", False)
    return refused(basis.file(header=_line(head)), *(_EITHER if basis.format == 4 else ()))


def _line(head: JsonObject) -> bytes:
    return plain(head) + b"\n"


def kinds() -> Iterator[Kind]:
    """Return them."""
    slug = "MIG01-HDR-PHYS"
    for says, members in _WRONG:
        yield from _of_both(f"a header with {says}", _with(**members))
    for key in _REQUIRED:
        yield from _of_both(f"a header without {key}", _without(key))
    for says, line in _LINES:
        yield from _of_both(f"a first line that is {says}", _instead(line))
    yield Kind(slug, "isSeeded in an old header", _with(isSeeded=False), (0, 1))
    yield Kind(slug, "a null seedLength", _with(seedLength=None), (0, 1))
    yield Kind("HDR-EXACT", "a header without isSeeded", _without("isSeeded"), _SINCE_V2)
    yield Kind("HDR-CWD-ABS", "a relative cwd", _with(cwd="w"))
    yield Kind("HDR-RETIRED-SEEDLENGTH", "a seedLength", _with(seedLength=0), _SINCE_V2)
    for key in ("sandboxMode", "approvalPolicy"):
        yield Kind("HDR-RETIRED-POLICY", f"a header with {key}", _with(**{key: "never"}))
    yield from _versions()


def _versions() -> Iterator[Kind]:
    slug = "ROW-ONE-VERSION"
    says = "a log under the name of another format"
    yield Kind(slug, says, _another_version, (4,))
    yield Kind(slug, says, _another_version, _OLDER, migrating=True)
    says = "a newer version under an old name"
    yield Kind(slug, says, _with(version=5), _OLDER, migrating=True)
    slug = "HDR-VERSION-FIRST"
    yield Kind(slug, "a newer version", _with(*_NEWER, version=5), (4,))
    odd = _with(*_NEWER, version=9, isSeeded="?", acme=1, id=5)
    yield Kind(slug, "a newer version in an odd header", odd, (4,))
    for says, version in (("in words", "4"), ("of nothing", None)):
        yield Kind(slug, f"a version {says}", _with(version=version))


def _of_both(says: str, make: Make) -> Iterator[Kind]:
    yield Kind("MIG01-HDR-PHYS", says, make, (0, 1))
    yield Kind("HDR-EXACT", says, make)
