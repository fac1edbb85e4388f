"""Sabotages of the reading of files: damage that is taken for something else.

The base is `jsonl`, plain or compressed; most of these serve a file that a right store refuses.
"""

from collections.abc import Sequence
from pathlib import Path

from attrs import evolve, frozen

from dsh_conformance.backends.zstd import Zstd
from dsh_conformance.implementation.backend import Access, Refuse, StoreHandle
from dsh_conformance.sabotage.wrap import WrappedStore
from dsh_reference.files import LogFile, decode_row, load
from dsh_reference.files.frames import scan_frames
from dsh_reference.refusal import Refusal
from dsh_reference.values import parse
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject


@frozen
class Served:
    """A read handle on a log that was made up here."""

    log: LogFile

    @property
    def header(self) -> JsonObject:
        return self.log.header

    @property
    def inherited_event_count(self) -> int:
        return self.log.inherited

    def read(self, offset: int = 0, length: int | None = None) -> Sequence[Json]:
        return self.log.events[offset : None if length is None else offset + length]

    def append(self, _events: Sequence[Json]) -> None:
        raise Refuse(RefusalKind.READ_ONLY, "a read handle")

    def flush(self) -> None:
        raise Refuse(RefusalKind.READ_ONLY, "a read handle")

    def close(self) -> None:
        pass


class Serving(WrappedStore):
    """Reads some of what a right store refuses: `salvaged` says what, and as which log."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        try:
            return super().open(session_id, access)
        except Refuse as refusal:
            path = self.locate(session_id) if access == "read" else None
            log = self.salvaged(Path(path).read_bytes(), refusal) if path else None
            if log is None:
                raise
            return self.wrapped(Served(log), writes=False)

    def salvaged(self, content: bytes, refusal: Refuse) -> LogFile | None:
        """Return the log to serve, if any."""
        raise NotImplementedError


def loaded(content: bytes) -> LogFile | None:
    """Return the log that a plain file holds; nothing when it must be refused."""
    log = load(content, compression="none")
    return log if isinstance(log, LogFile) else None


def is_damaged(refusal: Refuse) -> bool:
    """Say whether what was refused is the body of a log and not whose it is."""
    return refusal.kind is RefusalKind.CORRUPT and refusal.rule != "STORE-IDENTITY-BOUND"


class ServesThePrefix(Serving):
    """Of a log with a damaged row the rows before it are served, whatever follows."""

    def salvaged(self, content: bytes, refusal: Refuse) -> LogFile | None:
        lines = content.splitlines(keepends=True) if is_damaged(refusal) else []
        prefixes = (b"".join(lines[:count]) for count in range(len(lines) - 1, 0, -1))
        return next((log for prefix in prefixes if (log := loaded(prefix))), None)


class ServesTheFramesBefore(Serving):
    """A complete frame that is damaged is taken for a torn one: the frames before it are served."""

    def salvaged(self, content: bytes, refusal: Refuse) -> LogFile | None:
        frames = scan_frames(content) if is_damaged(refusal) else None
        if frames is None or isinstance(frames, Refusal):
            return None
        for frame in frames.complete[:0:-1]:
            log = load(content[: frame.start], compression="zstd", decompressor=Zstd().inflate())
            if isinstance(log, LogFile):
                return log
        return None


class KeepsTheLastCopy(Serving):
    """Of rows with the same seq the last one is served, as some repair tools do."""

    def salvaged(self, content: bytes, refusal: Refuse) -> LogFile | None:
        header, *rows = content.splitlines(keepends=True) or [b""]
        by_seq = {_seq(row): row for row in rows} if is_damaged(refusal) else {}
        return loaded(header + b"".join(by_seq.values())) if by_seq else None


def _event(row: bytes, seq: int) -> JsonObject | Refusal:
    value = parse(row)
    return value if isinstance(value, Refusal) else decode_row(value, seq)


def _seq(row: bytes) -> object:
    event = parse(row)
    return event.get("seq") if isinstance(event, dict) else row


class JudgesRowsOnly(Serving):
    """Rows are judged one by one and not by what they mean together."""

    def salvaged(self, content: bytes, refusal: Refuse) -> LogFile | None:
        header, *rows = content.splitlines(keepends=True) or [b""]
        first = loaded(header) if is_damaged(refusal) else None
        events = [_event(row, seq) for seq, row in enumerate(rows) if row.strip()]
        good = tuple(event for event in events if not isinstance(event, Refusal))
        return evolve(first, events=good) if first and len(good) == len(events) else None


class SkipsUnknownTypes(Serving):
    """A log is served without the event of an unknown required type at its end."""

    def salvaged(self, content: bytes, refusal: Refuse) -> LogFile | None:
        lines = content.splitlines(keepends=True) if refusal.rule == "INV-VOCAB" else [b""]
        return loaded(b"".join(lines[:-1]))


class ReadsNewerVersions(Serving):
    """A newer version in the header is read as if it were the present one."""

    def salvaged(self, content: bytes, refusal: Refuse) -> LogFile | None:
        header, line_feed, rows = content.partition(b"\n")
        is_newer = refusal.kind is RefusalKind.UNSUPPORTED_FORMAT and b'"version":5' in header
        older = header.replace(b'"version":5', b'"version":4')
        return loaded(older + line_feed + rows) if is_newer else None


class ServesForeignIds(Serving):
    """A file is served under the id that its place says, although its header names another."""

    def salvaged(self, content: bytes, refusal: Refuse) -> LogFile | None:
        return loaded(content) if refusal.rule == "STORE-IDENTITY-BOUND" else None


class CallsOtherVersionsCorrupt(WrappedStore):
    """A file of another version is refused as corrupt."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        try:
            return super().open(session_id, access)
        except Refuse as refusal:
            if refusal.kind is RefusalKind.UNSUPPORTED_FORMAT and refusal.rule != "INV-VOCAB":
                raise Refuse(RefusalKind.CORRUPT, "the header is damaged") from None
            raise


class HidesAllBehindOne(WrappedStore):
    """Opening any session reads every file, and fails when one of them is damaged."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        for path in self.workspace.glob("*/*/*.jsonl"):
            if loaded(path.read_bytes()) is None:
                raise Refuse(RefusalKind.CORRUPT, "a session of this workspace is damaged")
        return super().open(session_id, access)


class _Looking(WrappedStore):
    """Looks at a session's file before it is opened."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        path = self.locate(session_id)
        log = loaded(Path(path).read_bytes()) if path else None
        if path and log:
            self.look(Path(path), log)
        return super().open(session_id, access)

    def look(self, path: Path, log: LogFile) -> None:
        """Do what is wrong to the file, or refuse it."""
        raise NotImplementedError


class RefusesTornTails(_Looking):
    """A log with a torn tail is refused as corrupt."""

    def look(self, path: Path, log: LogFile) -> None:
        if log.torn:
            raise Refuse(RefusalKind.CORRUPT, f"{path.name} ends within a record")


class RefusesTornFrames(WrappedStore):
    """A log whose last frame is torn is refused as corrupt."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        path = self.locate(session_id)
        frames = scan_frames(Path(path).read_bytes()) if path else None
        if frames and not isinstance(frames, Refusal) and frames.torn_start is not None:
            raise Refuse(RefusalKind.CORRUPT, "the last frame is damaged")
        return super().open(session_id, access)


class CompletesTheLastRecord(_Looking):
    """A last record that lacks only its line feed is taken for a complete one."""

    def look(self, path: Path, log: LogFile) -> None:
        rest = path.read_bytes()[log.committed_bytes :]
        if rest and not isinstance(_event(rest, len(log.events)), Refusal):
            with path.open("ab") as file:
                file.write(b"\n")


class CutsTornTailsOnOpen(_Looking):
    """Opening a log, for reading too, cuts its torn tail off."""

    def look(self, path: Path, log: LogFile) -> None:
        if log.torn:
            with path.open("r+b") as file:
                file.truncate(log.committed_bytes)


class TouchesOnOpen(_Looking):
    """Opening a log stamps its file with the time."""

    def look(self, path: Path, log: LogFile) -> None:  # noqa: ARG002
        path.touch()


class MovesTheDamagedAway(WrappedStore):
    """A file that cannot be opened is renamed, and its session is gone."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        path = self.locate(session_id)
        try:
            return super().open(session_id, access)
        except Refuse as refusal:
            if path and refusal.kind is RefusalKind.CORRUPT:
                Path(path).rename(f"{path}.damaged")
            raise
