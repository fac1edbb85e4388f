"""A file for each session: the v0 format as the dsh runtimes of its time wrote it.

The files lie, are read, and grow as those of the handle seam do, in the names and rows of format
v0.  There is no lock, as there was none then: an append whose file is not as the instance left it
is refused.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import cast

from attrs import evolve

from dsh_conformance.backends.disk import (
    identity,
    make_session_directory,
    read_stable,
    revision,
)
from dsh_conformance.backends.jsonl_writer import LogWriter, Packing, Tail
from dsh_conformance.backends.layout import Artifact, Layout
from dsh_conformance.backends.seam.storage import FORMAT, StoredLog
from dsh_conformance.backends.storage import refuse
from dsh_conformance.backends.zstd import MAX_TEXT
from dsh_conformance.implementation.backend import Refuse
from dsh_conformance.implementation.capabilities import StoreClaims
from dsh_reference.files import (
    batch_lines,
    header_line,
    log_path,
    read_header,
    read_log,
)
from dsh_reference.refusal import Refusal
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject


class OldPacking(Packing):
    """How the text of format v0 becomes bytes on disk, and back."""

    def header(self, header: JsonObject) -> bytes:
        """Return the header line of a log as it is stored."""
        logical = {key: value for key, value in header.items() if key != "seedLength"}
        seed = header.get("seedLength")
        inherited = seed if isinstance(seed, int) else 0
        return self.pack(header_line({**logical, "isSeeded": seed is not None}, inherited))

    def batch(self, events: Sequence[JsonObject]) -> bytes:
        """Return a batch as it is stored."""
        return self.pack(batch_lines(events, format=FORMAT))


class JsonlSeamStorage:
    """The logs of one root."""

    def __init__(self, root: Path, packing: OldPacking) -> None:
        self._root = root
        self._packing = packing
        self._layout = Layout(root, packing.compression)

    @property
    def claims(self) -> StoreClaims:
        """What it promises."""
        return StoreClaims(
            seam="store",
            format=FORMAT,
            durable=True,
            cross_process_lock=False,
            artifacts="jsonl" if self._packing.compression == "none" else "jsonl.zstd",
        )

    def stored_keys(self) -> Sequence[str]:
        """Return the keys of all session directories with a log."""
        return self._layout.keys()

    def exists(self, key: str) -> bool:
        """Whether the session has a log, readable or not."""
        return bool(self._layout.homes(key))

    def snapshot(self, key: str) -> tuple[JsonObject, str] | None:
        """Return header and revision."""
        artifact = self._layout.find(key)
        if artifact is None:
            return None
        data, status = read_stable(artifact.path, MAX_TEXT)
        return self._header(artifact, data), revision(status)

    def load(self, key: str) -> StoredLog | None:
        """Return the stored log; nothing in the file changes."""
        artifact = self._layout.find(key)
        if artifact is None:
            return None
        data, status = read_stable(artifact.path, MAX_TEXT)
        header = self._header(artifact, data)
        log = read_log(
            data,
            compression=self._packing.compression,
            decompressor=self._packing.decompressor(),
            format=FORMAT,
        )
        if isinstance(log, Refusal):
            raise refuse(log)
        tail = Tail(
            identity=identity(status), committed=log.committed_bytes, recovered=log.recovered
        )
        end = self._writer(artifact.path, header, tail=tail)
        return StoredLog(
            header=header, events=log.events, revision=revision(status), end=end, torn=log.torn
        )

    def publish(self, key: str, header: JsonObject, events: Sequence[JsonObject]) -> object:
        """Store a new session, unless another process has stored it by now."""
        path = self._root / log_path(header, self._packing.compression)
        self._layout.check_free(key)
        make_session_directory(self._root, path.parent)
        writer = self._writer(path, header)
        writer.append(events)
        return writer

    def append(self, key: str, end: object, events: Sequence[Json]) -> object:  # noqa: ARG002 - the writer knows its file
        """Append to the log where this writer left it."""
        writer = cast("LogWriter", end)
        if events:
            writer.append(cast("Sequence[JsonObject]", events))
        else:
            writer.mend()
        return writer

    def locate(self, key: str, /) -> str | None:
        """Return the path of the session's log."""
        artifact = self._layout.find(key)
        return str(artifact.path) if artifact else None

    def close(self) -> None:
        """Do nothing: no file is kept open."""

    def _writer(self, path: Path, header: JsonObject, tail: Tail | None = None) -> LogWriter:
        return LogWriter(path, self._layout, self._packing, None, header=header, tail=tail)

    def _header(self, artifact: Artifact, data: bytes) -> JsonObject:
        """Return the header in *data*; raises `Refuse` (STORE-VERSION-GATE, STORE-IDENTITY-BOUND).

        It has the members of the header line: a seeded session states how much it inherited.
        """
        first = read_header(
            data,
            compression=self._packing.compression,
            decompressor=self._packing.decompressor(),
            format=FORMAT,
        )
        if isinstance(first, Refusal):
            other = first.rule == "ROW-ONE-VERSION"
            raise refuse(evolve(first, kind=RefusalKind.UNSUPPORTED_FORMAT) if other else first)
        if self._root / log_path(first.header, self._packing.compression) != artifact.path:
            problem = f"by its header the log of {artifact.path} belongs elsewhere"
            raise Refuse(RefusalKind.CORRUPT, problem, "STORE-IDENTITY-BOUND")
        header = {key: value for key, value in first.header.items() if key != "isSeeded"}
        return header if first.seed_length is None else {**header, "seedLength": first.seed_length}
