"""What a real runtime makes of a file: it is put where the runtime's store keeps such files."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import frozen

from dsh_conformance.differential.judgement import ADMITTED, REFUSED, Judgement
from dsh_conformance.differential.specimen import Specimen
from dsh_conformance.implementation.connection import Connection
from dsh_conformance.implementation.hostile import encode_value
from dsh_conformance.implementation.outcome import Ok, Refused
from dsh_reference.files import Compression, encode_segment, log_name, project_directory
from dsh_reference.session_log import SessionLog
from dsh_spec.values import Json


@frozen(kw_only=True)
class Runtime:
    """A running runtime on a workspace of one encoding."""

    #: The running runtime.
    connection: Connection
    #: The root of its store.
    workspace: Path
    #: The encoding of the files there.
    compression: Compression

    def judge(self, specimen: Specimen) -> Judgement:
        """Let it open the file for reading, as format 3 and later do."""
        with self._placed(specimen) as session:
            opened = self._call("store/open", id=session, access="read")
            if isinstance(opened, Refused):
                return self._refused(opened)
            read = self._call("store/read", handle=opened["handle"])
            self._call("store/close", handle=opened["handle"])
        if isinstance(read, Refused):
            return self._refused(read)
        log = SessionLog(
            header=opened["header"],
            inherited=opened["inheritedEventCount"],
            events=tuple(read["events"]),
        )
        return self._shown(log)

    def judge_by_id(self, specimen: Specimen) -> Judgement:
        """Let it read the file, and close it in memory, as format 0 does."""
        with self._placed(specimen) as session:
            whole = self._call("store/inspect", id=session)
            stored = self._call("store/readFrom", id=session, fromSeq=0)
        # What it has read, it keeps; the next file may have the same name.
        self._call("store/closeWorkspace")
        self._call("store/openWorkspace", workspace=str(self.workspace))
        for answer in (whole, stored):
            if isinstance(answer, Refused):
                return self._refused(answer)
        events = tuple(stored["events"])
        log = SessionLog(header=stored["header"], inherited=0, events=events)
        return Judgement(verdict=ADMITTED, log=log, closers=whole["events"][len(events) :])

    def _shown(self, log: SessionLog) -> Judgement:
        marked = encode_value(list(log.events))
        given: dict[str, Json] = {"format": log.header["version"], "events": marked}
        return Judgement(
            verdict=ADMITTED,
            log=log,
            messages=_member("messages", self._call("core/derive", **given)),
            closers=_member("events", self._call("core/closers", cause="interrupted", **given)),
        )

    def _refused(self, refusal: Refused) -> Judgement:
        words = refusal.message.replace(str(self.workspace), "")
        return Judgement(verdict=str(refusal.kind), words=words)

    @contextmanager
    def _placed(self, specimen: Specimen) -> Iterator[str]:
        try:
            for each in (specimen, *specimen.family):
                directory = self.workspace / project_directory(each.cwd)
                directory /= encode_segment(each.session)
                directory.mkdir(parents=True)
                (directory / log_name(each.format, self.compression)).write_bytes(each.data)
            yield specimen.session
        finally:
            for entry in self.workspace.iterdir():
                shutil.rmtree(entry)

    def _call(self, method: str, **params: Json) -> Any:
        """Return the result, or the refusal; raises `Fault`."""
        outcome = self.connection.call(method, params)
        return outcome.value if isinstance(outcome, Ok) else outcome


def _member(name: str, answer: Any) -> Json:
    """Return one member of an answer, or that it was refused."""
    if isinstance(answer, Refused):
        return REFUSED
    member: Json = answer[name]
    return member
