"""Sabotages of the writing of files: bytes that should not be there, or not be so."""

from collections.abc import Sequence
from pathlib import Path

from dsh_conformance.backends.zstd import Zstd
from dsh_conformance.implementation.backend import Access, Refuse, StoreHandle
from dsh_conformance.sabotage.files import loaded
from dsh_conformance.sabotage.log import closing
from dsh_conformance.sabotage.wrap import WrappedHandle, WrappedStore
from dsh_reference.files import LogFile, batch_lines, header_line, load
from dsh_reference.values import dump, parse
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject


class GluesToTheFragment(WrappedHandle):
    """The next batch is written right behind a torn tail, and its first record with it is lost."""

    def append(self, events: Sequence[Json]) -> None:
        path = self.store.locate(self.session_id)
        before = Path(path).read_bytes() if path else b"\n"
        whole, _, fragment = before.rpartition(b"\n")
        super().append(events)
        if path and fragment and events:
            after, at = Path(path).read_bytes(), len(whole) + 1
            Path(path).write_bytes(after[:at] + fragment + after[at:])


class RespellsTheHeader(WrappedHandle):
    """Every batch rewrites the header line with its keys the other way round."""

    def append(self, events: Sequence[Json]) -> None:
        super().append(events)
        path = self.store.locate(self.session_id)
        if path and events:
            line, line_feed, rows = Path(path).read_bytes().partition(b"\n")
            header = parse(line)
            assert isinstance(header, dict)
            respelled = dump(dict(reversed(header.items()))).encode()
            with Path(path).open("r+b") as file:
                file.write(respelled + line_feed + rows)


class PacksFramesOnClose(WrappedHandle):
    """Closing the write handle packs all batches of the log into one frame."""

    def close(self) -> None:
        path = self.store.locate(self.session_id) if self.writes and not self.is_closed else None
        super().close()
        log = _loaded_zstd(Path(path)) if path else None
        if path and log and log.events and not log.torn:
            frames = (header_line(log.header), batch_lines(log.events))
            Path(path).write_bytes(b"".join(map(Zstd().frame, frames)))


def _loaded_zstd(path: Path) -> LogFile | None:
    log = load(path.read_bytes(), compression="zstd", decompressor=Zstd().inflate())
    return log if isinstance(log, LogFile) else None


class LocatesAnOldCopy(WrappedStore):
    """The file that locate names is a copy that lacks the last record."""

    def locate(self, session_id: str) -> str | None:
        path = super().locate(session_id)
        if path is None:
            return None
        copy = Path(path).with_name("copy.log")
        header, *rows = Path(path).read_bytes().splitlines(keepends=True)
        copy.write_bytes(header + b"".join(rows[:-1]))
        return str(copy)


class UpgradesFilesOnOpen(WrappedStore):
    """Opening a file of an older version, for reading too, makes it one of the present version."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        path = self.locate(session_id)
        if path:
            line, line_feed, rows = Path(path).read_bytes().partition(b"\n")
            if b'"version":3' in line:
                upgraded = line.replace(b'"version":3', b'"version":4')
                Path(path).write_bytes(upgraded + line_feed + rows)
        return super().open(session_id, access)


class ClosesTurnsUnderAWriter(WrappedStore):
    """Opening a log to read writes closers into it, although its writer is still at work."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        path = self.locate(session_id) if access == "read" else None
        log = loaded(Path(path).read_bytes()) if path else None
        if path and log and not log.torn:
            events = [event for event in closing(log.events) if isinstance(event, dict)]
            with Path(path).open("ab") as file:
                file.write(batch_lines(events))
        return super().open(session_id, access)


class ReplacesOnCreate(WrappedStore):
    """Creating a session under an id that is stored and not open replaces what is stored."""

    def create(self, header: JsonObject, inherited_event_count: int | None = None) -> StoreHandle:
        try:
            return super().create(header, inherited_event_count)
        except Refuse as refusal:
            path = self.locate(str(header["id"]))
            taken = refusal.kind is RefusalKind.ALREADY_EXISTS
            if not taken or path is None or self.writer(str(header["id"])):
                raise
            Path(path).unlink()
            return super().create(header, inherited_event_count)
