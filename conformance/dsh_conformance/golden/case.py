"""One golden case, as its files."""

import hashlib
import json
import re
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from typing import Any, Final

from attrs import frozen

from dsh_reference.files import Compression
from dsh_reference.values import utf16
from dsh_spec.catalogue import Format
from dsh_spec.values import Json, JsonObject

#: The file that says what the case is and what must come of it.
CASE: Final = "case.json"
#: The log migrated to the newest format.
MIGRATED: Final = "migrated.jsonl"
#: What one edge alone makes of the log.
EDGE: Final = "edge.jsonl"
#: The log itself, by its encoding.
LOGS: Final[Mapping[str, Compression]] = {"log.jsonl": "none", "log.jsonl.zstd": "zstd"}
#: The newest format.
NEWEST: Final[Format] = 4
#: The directory with what else lies in the session's directory, by the names that it has there.
BESIDE: Final = "beside"

_SURROGATE = re.compile("[\ud800-\udfff]")


@frozen(kw_only=True)
class Case:
    """A golden case."""

    #: The format of its log.
    format: Format
    #: The name of its directory.
    name: str
    #: Its files: the bytes by name, those that lie beside the log as ``beside/NAME``.
    files: Mapping[str, bytes]
    #: What ``case.json`` says; nothing where that is no JSON object.
    said: Mapping[str, Any]

    @property
    def place(self) -> str:
        """The format and the name, which say where it lies."""
        return f"v{self.format}/{self.name}"

    @property
    def log(self) -> bytes:
        """The physical log."""
        return next(self.files[name] for name in LOGS if name in self.files)

    @property
    def compression(self) -> Compression:
        """The encoding of the log."""
        return next(kind for name, kind in LOGS.items() if name in self.files)

    @property
    def beside(self) -> Mapping[str, bytes]:
        """The other files of the session's directory, by name."""
        start = f"{BESIDE}/"
        return {
            name.removeprefix(start): data
            for name, data in self.files.items()
            if name.startswith(start)
        }

    @property
    def children(self) -> tuple[JsonObject, ...]:
        """The facts about child sessions."""
        return tuple(self.said.get("children", ()))

    @property
    def expect(self) -> Mapping[str, Any]:
        """What must come of the log."""
        expect: Mapping[str, Any] = self.said["expect"]
        return expect

    @property
    def digest(self) -> str:
        """A digest of all that it consists of."""
        whole = hashlib.sha256()
        for name, data in sorted(self.files.items()):
            whole.update(f"{name}\n{len(data)}\n".encode() + data)
        return whole.hexdigest()


@frozen(kw_only=True)
class Finding:
    """Something that is wrong with a case."""

    #: Which case, as ``v3/NAME``.
    place: str
    #: What is wrong, in one sentence.
    problem: str
    #: What the case expects, where that is the matter.
    expected: Json = None
    #: What there is instead.
    actual: Json = None


def read_case(version: Format, directory: Traversable) -> Case:
    """Read all files of a case; what is wrong with them is for `form` to say."""
    held = {entry.name: entry for entry in directory.iterdir()}
    held.update(
        {f"{BESIDE}/{entry.name}": entry for entry in held.pop(BESIDE).iterdir()}
        if BESIDE in held
        else {}
    )
    data = {name: entry.read_bytes() for name, entry in held.items()}
    return Case(
        format=version, name=directory.name, files=data, said=_said(data.get(CASE, b"null"))
    )


def case_text(said: JsonObject) -> bytes:
    """Return ``case.json`` in its canonical spelling.

    Two spaces a level, members in the order of the schema, characters raw but for lone surrogates.
    """
    ordered = _ordered(said, _ORDER)
    for name, order in (("provenance", _PROVENANCE_ORDER), ("expect", _EXPECT_ORDER)):
        part = said.get(name)
        if isinstance(part, Mapping):
            ordered[name] = _ordered(part, order)
    text = utf16(json.dumps(ordered, indent=2, ensure_ascii=False))
    escaped = _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return f"{escaped}\n".encode()


def _ordered(members: JsonObject, order: tuple[str, ...]) -> dict[str, Json]:
    known = {key: members[key] for key in order if key in members}
    return {**known, **members}


def _said(data: bytes) -> Mapping[str, Any]:
    try:
        value = json.loads(data)
    except ValueError:
        return {}
    return value if isinstance(value, Mapping) else {}


_ORDER: Final = (
    "name",
    "pathology",
    "binding",
    "provenance",
    "reports",
    "rules",
    "canonical",
    "children",
    "expect",
)
_PROVENANCE_ORDER: Final = ("kind", "version", "detail")
_EXPECT_ORDER: Final = (
    "verdict",
    "native",
    "events",
    "torn",
    "committedBytes",
    "inherited",
    "edge",
    "migrated",
    "surface",
    "messages",
    "closers",
    "fork",
)
