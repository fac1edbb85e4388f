"""Handles over a storage: the checks that come before anything is read or stored.

A write handle that created its session is *pending* until it first stores something.
Until then the session is what this handle says it is, and a close erases it.
The order of an append's checks is part of the contract: closed, outside JSON, read-only, empty,
owned by another, wrong seqs.
"""

from collections.abc import Callable, Mapping, Sequence

from dsh_conformance.backends.storage import Log, Storage, Writer, refuse, refusing_io
from dsh_conformance.implementation.backend import Refuse
from dsh_reference.files import check_row, is_cut
from dsh_reference.refusal import Refusal
from dsh_reference.values import dump, is_count, not_json, parse
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject


class Handle:
    """One open session, for reading."""

    def __init__(
        self,
        key: str,
        storage: Storage,
        log: Log,
        on_close: Callable[["Handle"], None],
        *,
        creator: "WriteHandle | None" = None,
    ) -> None:
        self.key = key
        self.is_open = True
        self._storage = storage
        self._header = log.header
        self._inherited = log.inherited
        self._on_close = on_close
        self._creator = creator
        self._log = log
        self._seen = 0

    @property
    def header(self) -> JsonObject:
        """The session's logical header."""
        return dict(self._header)

    @property
    def inherited_event_count(self) -> int:
        """How many leading events were inherited from a parent."""
        return self._inherited

    @refusing_io()
    def read(self, offset: int = 0, length: int | None = None) -> Sequence[Json]:
        """Return fresh events (STORE-READ-RANGE, STORE-READ-ARGS, STORE-MONOTONIC-READ)."""
        self._check_open()
        if not is_count(offset) or not (length is None or is_count(length)):
            problem = "offset and length must be integers from 0 to 2^53 - 1"
            raise Refuse(RefusalKind.INVALID_ARGUMENT, problem, "STORE-READ-ARGS")
        rows = self._rows()
        if len(rows) < self._seen:
            problem = f"the stored log shrank from {self._seen} events to {len(rows)}"
            raise Refuse(RefusalKind.CORRUPT, problem, "STORE-MONOTONIC-READ")
        self._seen = len(rows)
        end = len(rows) if length is None else int(offset) + int(length)
        return [_event(row) for row in rows[int(offset) : end]]

    @refusing_io()
    def append(self, events: Sequence[Json]) -> None:
        """Append a batch (STORE-CONTIGUOUS-APPEND, JSON-REFUSE)."""
        self._check_open()
        batch = list(events) if isinstance(events, tuple) else events
        refusal = not_json(batch)
        if refusal is not None:
            raise refuse(refusal)
        if not isinstance(batch, list):
            raise Refuse(RefusalKind.INVALID_ARGUMENT, "a batch must be a list of events")
        self._append(batch)

    @refusing_io()
    def flush(self) -> None:
        """Make every appended event survive a crash (STORE-DURABLE)."""
        self._check_open()
        self._flush()

    @refusing_io()
    def close(self) -> None:
        """Give the handle up; a second call does nothing (STORE-CLOSE-IDEMPOTENT)."""
        if self.is_open:
            self.is_open = False
            self._on_close(self)
            self._release()

    def _check_open(self) -> None:
        if not self.is_open:
            raise Refuse(RefusalKind.CLOSED, "the handle is closed", "STORE-CLOSED")

    def _rows(self) -> Sequence[str]:
        if self._creator is not None and not self._creator.is_stored:
            if self._creator.is_open:
                return ()
            raise Refuse(RefusalKind.NOT_FOUND, "the session was erased by its creator")
        if self._log.revision != self._storage.revision(self.key):
            log = self._storage.load(self.key)
            if log is None:
                raise Refuse(RefusalKind.NOT_FOUND, f"session {self.key} is gone")
            self._log = log
        return self._log.rows

    def _append(self, batch: Sequence[Json]) -> None:  # noqa: ARG002 - a read handle takes none
        raise Refuse(RefusalKind.READ_ONLY, "the handle was opened for reading", "STORE-READONLY")

    def _flush(self) -> None:
        raise Refuse(RefusalKind.READ_ONLY, "the handle was opened for reading", "STORE-READONLY")

    def _release(self) -> None:
        """Let go of what the handle holds; a read handle holds nothing."""


class WriteHandle(Handle):
    """One open session, for writing; without a *writer* it is pending."""

    def __init__(
        self,
        key: str,
        storage: Storage,
        log: Log,
        on_close: Callable[[Handle], None],
        *,
        writer: Writer | None = None,
    ) -> None:
        super().__init__(key, storage, log, on_close, creator=self)
        #: Whether the session is in the storage.
        self.is_stored = writer is not None
        self._writer = writer
        self._has_cut = self.is_stored or log.header["isSeeded"] is not True

    def snapshot(self) -> JsonObject:
        """Return the snapshot of a pending session (STORE-PENDING-VISIBLE)."""
        return {"header": self.header, "revision": self._log.revision, "eventCount": 0}

    def reader(self, on_close: Callable[[Handle], None]) -> Handle:
        """Return a read handle on a pending session, which follows it into the storage."""
        return Handle(self.key, self._storage, self._log, on_close, creator=self)

    def _append(self, batch: Sequence[Json]) -> None:
        if not batch:
            return
        writer = self._claimed()
        events = _checked(batch, writer.next_seq)
        writer.append(events)
        self.is_stored = True
        self._has_cut = self._has_cut or any(map(is_cut, events))

    def _flush(self) -> None:
        """Store an empty session; what was appended is durable already (STORE-FLUSH-MATERIALISES).

        A seeded log without its marker could not be opened again (STORE-SEEDED-FLUSH).
        """
        if not self._has_cut:
            problem = "a seeded session can be flushed once its inherited session/end-seed is there"
            raise Refuse(RefusalKind.INVALID_ARGUMENT, problem, "STORE-SEEDED-FLUSH")
        if not self.is_stored:
            self._claimed().append(())
            self.is_stored = True

    def _claimed(self) -> Writer:
        """Return the writer, which a pending session claims just before it first stores."""
        if self._writer is None:
            self._writer = self._storage.create(self.key, self._header, self._inherited)
        return self._writer

    def _release(self) -> None:
        if self._writer is not None:
            self._writer.release()


def _event(row: str) -> Json:
    event = parse(row)
    assert not isinstance(event, Refusal)
    return event


def _checked(batch: Sequence[Json], next_seq: int) -> list[JsonObject]:
    """Return the events of a batch that a log can hold from *next_seq* on.

    Only the envelope is looked at: what an event means is judged when the log is opened.
    """
    for index, event in enumerate(batch):
        seq = event.get("seq") if isinstance(event, Mapping) else None
        if not is_count(seq) or seq != next_seq + index:
            problem = f"expected seq {next_seq + index} at index {index}, got {dump(seq)[:40]}"
            raise Refuse(RefusalKind.SEQ_MISMATCH, problem, "STORE-CONTIGUOUS-APPEND")
    for seq, event in enumerate(batch, next_seq):
        refusal = check_row(event, seq)
        if refusal is not None:
            raise Refuse(RefusalKind.INVALID_EVENT, str(refusal), refusal.rule)
        written = parse(dump(event))
        if isinstance(written, Refusal):
            problem = f"event {seq}: once stored it could not be read: {written.problem}"
            raise Refuse(RefusalKind.OTHER, problem, written.rule)
    return [event for event in batch if isinstance(event, Mapping)]
