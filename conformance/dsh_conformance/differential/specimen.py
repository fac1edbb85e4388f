"""A log that both sides are asked about: a value, and the bytes of its file."""

import json
from typing import TypeAlias

from attrs import frozen

from dsh_conformance.backends.zstd import Zstd
from dsh_conformance.generate.formats import FORMATS, Format
from dsh_reference.files import Compression, batch_lines
from dsh_reference.session_log import SessionLog
from dsh_spec.values import Json, JsonObject

#: The formats whose header line counts the inherited events.
COUNTING: tuple[Format, ...] = (0, 1)

_Row: TypeAlias = Json


@frozen(kw_only=True)
class Specimen:
    """One generated log, sound or spoilt."""

    #: The format whose files it is written like.
    format: Format
    #: The log; where it is spoilt, its parts may be anything.
    log: SessionLog
    #: The logs of the session's children, of any formats.
    children: tuple[SessionLog, ...] = ()
    #: Its encoding.
    compression: Compression = "none"
    #: After how many events a batch ends, ascending.
    cuts: tuple[int, ...] = ()
    #: Whether runs of chunks are packed, as the writers of formats v0 and v1 did.
    packed: bool = False
    #: Whether something in it was changed, so that nobody has to read it.
    spoilt: bool = False
    #: How many bytes are missing at the end of the file.
    torn: int = 0

    @property
    def session(self) -> str:
        """The id under which a store looks for it."""
        found = self.log.header.get("id")
        return found if isinstance(found, str) and found else "nameless"

    @property
    def cwd(self) -> str | None:
        """The working directory under which a store looks for it."""
        found = self.log.header.get("cwd")
        return found if isinstance(found, str) and found else None

    @property
    def family(self) -> tuple["Specimen", ...]:
        """The children, each as a specimen in the same encoding."""
        return tuple(
            Specimen(format=version, log=child, compression=self.compression)
            for child in self.children
            for version in FORMATS
            if child.header["version"] == version
        )

    @property
    def data(self) -> bytes:
        """The bytes of its file."""
        pieces = [_text(header_row(self.log)), *self._batches()]
        frame = Zstd().frame if self.compression == "zstd" else bytes
        whole = b"".join(frame(piece) for piece in pieces if piece)
        return whole[: len(whole) - self.torn]

    def _batches(self) -> list[bytes]:
        events = self.log.events
        ends = [*(cut for cut in self.cuts if cut < len(events)), len(events)]
        starts = [0, *ends[:-1]]
        batches = [events[start:end] for start, end in zip(starts, ends, strict=True)]
        if self.packed:
            return [batch_lines(batch, format=self.format) for batch in batches]
        return [b"".join(_text(event) for event in batch) for batch in batches]


def header_row(log: SessionLog) -> JsonObject:
    """Return the header as the file of its format has it, however wrong it is."""
    row: dict[str, Json] = {"type": "session", **log.header}
    if row.get("version") in COUNTING and "isSeeded" in row:
        seeded = row.pop("isSeeded")
        if seeded is not False:
            row["seedLength"] = log.inherited if seeded is True else seeded
    return row


def _text(row: _Row) -> bytes:
    return (json.dumps(row) + "\n").encode()
