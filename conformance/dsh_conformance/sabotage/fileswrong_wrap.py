"""The reference with files that are wrong in one way: read, written or placed.

Each way has a decorator, which makes of a function with a docstring the sabotage that it stands
for: `reads`, `writes` and `places`.
Most wrong readers change the file and read it rightly, or read it rightly and change what comes
out; a wrong one that serves more than it should tries what a right one takes.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from attrs import frozen

from dsh_conformance.backends.zstd import Zstd
from dsh_conformance.implementation.backend import Refuse
from dsh_conformance.implementation.port import Port, PureMethod
from dsh_conformance.sabotage.port_wrap import Answer, answering
from dsh_reference.files import Compression, Frame, each_frame
from dsh_reference.refusal import Refusal
from dsh_reference.values import dump, parse
from dsh_spec.values import Json, JsonObject

#: A part of a file or of an answer that may be changed.
Raw: TypeAlias = dict[str, Any]


@frozen(kw_only=True)
class File:
    """A file to be read, and what reads it rightly."""

    #: The format that its name states.
    format: int
    #: The encoding that its name states.
    compression: Compression
    #: The bytes.
    data: bytes
    #: Reads other bytes in its place; raises `Refuse`.
    right: Callable[["File"], Raw]

    @property
    def is_framed(self) -> bool:
        """Whether it is in Zstandard."""
        return self.compression == "zstd"

    def read(self, data: bytes | None = None) -> Raw:
        """Read it rightly, or other bytes in its place."""
        return self.right(self if data is None else self._of(data))

    def refusal(self) -> Refuse | None:
        """Return how it is refused rightly, if it is."""
        try:
            self.read()
        except Refuse as refusal:
            return refusal
        return None

    def frames(self) -> list[bytes]:
        """Return its complete frames and, as the last, whatever is behind them, if anything."""
        parts: list[bytes] = []
        end = 0
        for found in each_frame(self.data):
            if isinstance(found, Frame):
                parts.append(self.data[found.start : found.end])
                end = found.end
        return [*parts, self.data[end:]] if end < len(self.data) else parts

    def texts(self) -> list[bytes]:
        """Return what its frames hold, as far as they hold anything."""
        if not self.is_framed:
            return [self.data]
        whole = (Zstd().inflate().whole(frame) for frame in self.frames())
        return [text for text in whole if not isinstance(text, Refusal)]

    def relined(self, change: Callable[[bytes], bytes], *, header: bool = False) -> Raw:
        """Read it with other rows, or with another header line."""

        def changed(text: bytes, *, first: bool) -> bytes:
            lines = text.split(b"\n")
            is_head = [first and at == 0 for at in range(len(lines))]
            return b"\n".join(
                change(line) if line and head is header else line
                for line, head in zip(lines, is_head, strict=True)
            )

        if not self.is_framed:
            return self.read(changed(self.data, first=True))
        return self.read(
            b"".join(
                self._reframed(frame, partial(changed, first=at == 0))
                for at, frame in enumerate(self.frames())
            )
        )

    def _reframed(self, frame: bytes, change: Callable[[bytes], bytes]) -> bytes:
        """Change what is in a frame; one that needs no change stays as it is."""
        text = Zstd().inflate().whole(frame)
        if isinstance(text, Refusal) or change(text) == text:
            return frame
        return Zstd().frame(change(text))

    def prefix(self) -> Raw:
        """Read as much of its beginning as is accepted."""
        pieces = self.frames() if self.is_framed else self.data.splitlines(keepends=True)
        for count in range(len(pieces) - 1, 0, -1):
            try:
                found = self.read(b"".join(pieces[:count]))
            except Refuse:
                continue
            return found | {"torn": True}
        return self.read()

    def _of(self, data: bytes) -> "File":
        return File(format=self.format, compression=self.compression, data=data, right=self.right)


#: Reads a file.
Reader: TypeAlias = Callable[[File], Raw]


@frozen(kw_only=True)
class WrongFiles:
    """One way to be wrong."""

    #: The rule that it breaks.
    rule: str
    #: Its name, in words joined by hyphens.
    name: str
    #: What is wrong, in one sentence.
    says: str
    #: The public field reports that it is a copy of; empty where there is none.
    like: str
    #: The method that is wrong.
    method: str
    #: Answers it wrongly.
    answer: Answer

    def make(self, right: Port, _workspace: Path) -> Port:
        """Return the wrong implementation."""
        return answering(right, self.method, self.answer)


# ------------------------------------------------------------------ ways to be wrong

_Made: TypeAlias = Callable[[Callable[..., Any]], WrongFiles]


def reads(rule: str, *, like: str = "") -> _Made:
    """Read as the function does."""

    def made(function: Reader) -> WrongFiles:
        return _wrong(rule, function, like, "files/read", lambda *asked: function(_file(*asked)))

    return made


def writes(rule: str, *, like: str = "") -> _Made:
    """Write as the function does: it is given the header line, and the lines of each batch."""

    def made(function: Callable[[Sequence[bytes]], Iterable[bytes]]) -> WrongFiles:
        def answer(params: JsonObject, right: PureMethod) -> Json:
            pieces = list(function(_pieces(params, right)))
            if params["compression"] == "zstd":
                pieces = [Zstd().frame(piece) for piece in pieces if piece]
            return _encoded(b"".join(pieces))

        return _wrong(rule, function, like, "files/write", answer)

    return made


def writes_bytes(rule: str, *, like: str = "") -> _Made:
    """Write other bytes: the function is given the request's encoding and the right bytes."""

    def made(function: Callable[[Json, bytes], bytes]) -> WrongFiles:
        def answer(params: JsonObject, right: PureMethod) -> Json:
            return _encoded(function(params["compression"], _written(params, right)))

        return _wrong(rule, function, like, "files/write", answer)

    return made


def places(rule: str, *, like: str = "") -> _Made:
    """Place a log where the function says: it is given the request and the right parts."""

    def made(function: Callable[[Any, list[str]], Sequence[str]]) -> WrongFiles:
        def answer(params: JsonObject, right: PureMethod) -> Json:
            found: Any = right(params)
            return {"path": "/".join(function(params, found["path"].split("/")))}

        return _wrong(rule, function, like, "files/path", answer)

    return made


def collected(*modules: object) -> Iterator[WrongFiles]:
    """Give the sabotages of some modules, in the order in which they stand there."""
    for module in modules:
        for each in vars(module).values():
            if isinstance(each, WrongFiles):
                yield each


def _wrong(
    rule: str, function: Callable[..., Any], like: str, method: str, answer: Answer
) -> WrongFiles:
    name = "-".join(re.findall(r"[a-z0-9]+", function.__name__))
    says = " ".join(str(function.__doc__).split())
    return WrongFiles(rule=rule, name=name, says=says, like=like, method=method, answer=answer)


# ------------------------------------------------------------------ requests and lines


def edited(line: bytes, change: Callable[[Raw], Raw | None]) -> bytes:
    """Change the object on a line; the line stays where there is none, or nothing to change."""
    row: Any = parse(line)
    if not isinstance(row, dict):
        return line
    changed = change(dict(row))
    return line if changed is None else dump(changed).encode()


def _file(params: JsonObject, method: PureMethod) -> File:
    asked: Any = params

    def right(file: File) -> Raw:
        text = b64encode(file.data).decode("ascii")
        found: Any = method({**params, "format": file.format, "base64": text})
        return dict(found)

    return File(
        format=asked["format"],
        compression=asked["compression"],
        data=b64decode(asked["base64"]),
        right=right,
    )


def _pieces(params: JsonObject, right: PureMethod) -> list[bytes]:
    """Return the header line, and the lines of each batch."""
    data = _written({**params, "compression": "none"}, right)
    batches: Any = params["batches"]
    lines = data.splitlines(keepends=True)
    header, rows = lines[0], iter(lines[1:])
    pieces = [header]
    for batch in batches:
        held, piece = 0, b""
        while held < len(batch):
            line = next(rows)
            row: Any = parse(line)
            held += len(row["data"]["dt"]) + 1 if "seq0" in row else 1
            piece += line
        pieces.append(piece)
    return pieces


def _written(params: JsonObject, right: PureMethod) -> bytes:
    found: Any = right(params)
    return b64decode(found["base64"])


def _encoded(data: bytes) -> Raw:
    return {"base64": b64encode(data).decode("ascii")}
