"""Sabotages of files on the store seam: tails, damage, and what does not reach the disk.

The base is `jsonl` in format v0.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from dsh_conformance.implementation.backend import Refuse, SessionData
from dsh_conformance.sabotage.seam_wrap import WrappedSeamStore
from dsh_reference.files import LogFile, read_log
from dsh_reference.values import dump, parse
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject


def found_in(content: bytes) -> LogFile | None:
    """Return the log that a plain file of format v0 holds; nothing when it must be refused."""
    log = read_log(content, compression="none", format=0)
    return log if isinstance(log, LogFile) else None


class KeepsTheTornTail(WrappedSeamStore):
    """A repair leaves the torn tail in the file, behind what it adds."""

    def load(self, session_id: str) -> SessionData:
        return self._kept(session_id, lambda: self.inner.load(session_id))

    def _kept(self, session_id: str, act: Callable[[], SessionData]) -> SessionData:
        path = self.path(session_id)
        content = path.read_bytes() if path is not None else b""
        log = found_in(content)
        done = act()
        if path is not None and log is not None and log.torn:
            with path.open("ab") as file:
                file.write(content[log.committed_bytes :])
        return done


class GluesToTheTornTail(WrappedSeamStore):
    """The first batch after a crash is written right behind a torn tail."""

    def append(self, session_id: str, events: Sequence[Json]) -> None:
        path = self.path(session_id)
        content = path.read_bytes() if path is not None else b""
        log = found_in(content)
        super().append(session_id, events)
        if path is not None and log is not None and log.torn and events:
            after, at = path.read_bytes(), log.committed_bytes
            path.write_bytes(after[:at] + content[at:] + after[at:])


class SeamRefusesTornTails(WrappedSeamStore):
    """A log with a torn tail is refused as corrupt."""

    def inspect(self, session_id: str) -> SessionData:
        path = self.path(session_id)
        log = found_in(path.read_bytes()) if path is not None else None
        if log is not None and log.torn:
            raise Refuse(RefusalKind.CORRUPT, "the log ends within a record")
        return super().inspect(session_id)


class _Salvaging(WrappedSeamStore):
    """Shows some of what a right store refuses: `salvaged` says what, and as which log."""

    def inspect(self, session_id: str) -> SessionData:
        path = self.path(session_id)
        try:
            return super().inspect(session_id)
        except Refuse as refusal:
            log = self.salvaged(path.read_bytes(), refusal) if path is not None else None
            if log is None:
                raise
            header = {key: value for key, value in log.header.items() if key != "isSeeded"}
            return SessionData(header=header, events=list(log.events))

    def salvaged(self, content: bytes, refusal: Refuse) -> LogFile | None:
        """Return the log to show, if any."""
        raise NotImplementedError


class SeamServesThePrefix(_Salvaging):
    """Of a log with a damaged row the rows before it are shown, whatever follows."""

    def salvaged(self, content: bytes, refusal: Refuse) -> LogFile | None:
        if refusal.kind is not RefusalKind.CORRUPT:
            return None
        lines = content.splitlines(keepends=True)
        prefixes = (b"".join(lines[:count]) for count in range(len(lines) - 1, 0, -1))
        return next((log for prefix in prefixes if (log := found_in(prefix))), None)


class SeamServesForeignIds(_Salvaging):
    """A file is shown under the id that its place says, although its header names another."""

    def salvaged(self, content: bytes, refusal: Refuse) -> LogFile | None:
        return found_in(content) if refusal.rule == "STORE-IDENTITY-BOUND" else None


class SeamCallsOtherVersionsCorrupt(WrappedSeamStore):
    """A file of another version is refused as corrupt."""

    def inspect(self, session_id: str) -> SessionData:
        try:
            return super().inspect(session_id)
        except Refuse as refusal:
            vocabulary = refusal.rule == "STORE-FAIL-CLOSED-VOCAB"
            if refusal.kind is RefusalKind.UNSUPPORTED_FORMAT and not vocabulary:
                raise Refuse(RefusalKind.CORRUPT, "the header is damaged") from None
            raise


class SeamHidesAllBehindOne(WrappedSeamStore):
    """Inspecting any session reads every file, and fails when one of them is damaged."""

    def inspect(self, session_id: str) -> SessionData:
        for path in self.workspace.glob("*/*/*.jsonl"):
            if found_in(path.read_bytes()) is None:
                raise Refuse(RefusalKind.CORRUPT, "a session of this workspace is damaged")
        return super().inspect(session_id)


class SeamRespellsTheHeader(WrappedSeamStore):
    """Every batch rewrites the header line with its keys the other way round."""

    def append(self, session_id: str, events: Sequence[Json]) -> None:
        path = self.path(session_id)
        before = path.stat() if path is not None else None
        super().append(session_id, events)
        if path is None or before is None or not events:
            return
        line, line_feed, rows = path.read_bytes().partition(b"\n")
        header = parse(line)
        assert isinstance(header, dict)
        with path.open("r+b") as file:
            file.write(dump(dict(reversed(header.items()))).encode() + line_feed + rows)


class StoresOldShapesAnew(WrappedSeamStore):
    """What is read in the present shape is stored in it, in the place of what was written."""

    def load(self, session_id: str) -> SessionData:
        found = super().load(session_id)
        path = self.path(session_id)
        if path is not None:
            line = path.read_bytes().partition(b"\n")[0]
            rows = "".join(f"{dump(event)}\n" for event in found.events)
            content = line + b"\n" + rows.encode()
            if content != path.read_bytes():
                path.write_bytes(content)
        return found


class LocatesACopy(WrappedSeamStore):
    """The file that is named holds what the log was before its last batch."""

    def begin(self) -> None:
        self._copies: dict[str, Path] = {}

    def append(self, session_id: str, events: Sequence[Json]) -> None:
        path = self.path(session_id) if session_id not in self._copies else None
        real = self.inner.locate(session_id)
        if real is not None and path is not None and events:
            copy = self.workspace / f"{len(self._copies)}.bak"
            copy.write_bytes(Path(real).read_bytes())
            self._copies[session_id] = copy
        super().append(session_id, events)

    def locate(self, session_id: str) -> str | None:
        copy = self._copies.get(session_id)
        return super().locate(session_id) if copy is None else str(copy)


class _Losing(WrappedSeamStore):
    """Loses the last batch of each session when the instance ends."""

    def begin(self) -> None:
        self._sizes: dict[Path, int] = {}

    def append(self, session_id: str, events: Sequence[Json]) -> None:
        path = self.path(session_id)
        size = path.stat().st_size if path is not None else 0
        super().append(session_id, events)
        if path is not None and events:
            self._sizes[path] = size

    def lose(self) -> None:
        """Cut every file to what it was before its last batch."""
        for path, size in self._sizes.items():
            if path.exists() and path.stat().st_size > size:
                content = path.read_bytes()[:size]
                path.write_bytes(content)


class LosesTheLastBatchInACrash(_Losing):
    """An append returns before its batch is on the disk."""

    def crash(self) -> None:
        super().crash()
        self.lose()


class LosesTheLastBatchAtTheEnd(_Losing):
    """What was appended last is dropped when the process ends in order."""

    def shutdown(self) -> None:
        super().shutdown()
        self.lose()


class ReservesOnTheDisk(WrappedSeamStore):
    """Creating a session leaves a mark on the disk, by which its id stays taken."""

    def create(self, header: JsonObject) -> None:
        mark = self.workspace / f"{abs(hash(str(header.get('id'))))}.reserved"
        if mark.exists() and not self._here(str(header.get("id"))):
            raise Refuse(RefusalKind.ALREADY_EXISTS, "the id was given out before")
        super().create(header)
        mark.touch()

    def _here(self, session_id: str) -> bool:
        return self.inner.locate(session_id) is not None
