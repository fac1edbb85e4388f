"""Logs of older formats among those of a root: shown in the store's own, published when written.

The older file is the session until its own log is there, and stays as it is for ever
(MIG-READ-NO-PUBLISH, MIG-RETAIN).
"""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TypeAlias, cast

from dsh_conformance.backends.disk import publish, revision
from dsh_conformance.backends.jsonl_writer import Packing
from dsh_conformance.backends.layout import Artifact, Layout
from dsh_conformance.backends.storage import refuse
from dsh_conformance.implementation.backend import Refuse
from dsh_reference.files import LogFile, log_name
from dsh_reference.header import VERSION
from dsh_reference.migrate import ChildFact, child_fact, is_child, upgrade, verify
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_reference.stored import load_stored
from dsh_reference.values import equal
from dsh_spec.catalogue import Format
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import JsonObject

#: Reads the header of a log alone.
Peek: TypeAlias = Callable[[Artifact], tuple[JsonObject | Refusal, object]]
#: Reads a log without judging what its events mean, unless it is of v4; raises `Refuse`.
Read: TypeAlias = Callable[[Artifact], tuple[LogFile, object]]


class Older:
    """The older logs of one root."""

    def __init__(
        self,
        layout: Layout,
        packing: Packing,
        peek: Peek,
        read: Read,
        format: Format = VERSION,  # noqa: A002 - the word of the specification
    ) -> None:
        self._format = format
        self._layout = layout
        self._packing = packing
        self._peek = peek
        self._read = read

    def current(self, artifact: Artifact) -> bool:
        """Whether a log is of the store's own format by its name, or of a newer one."""
        return artifact.version >= self._format

    def format_of(self, artifact: Artifact) -> Format:
        """Return the format that a log has to be of by its name; none is read beyond the own."""
        return cast("Format", min(artifact.version, self._format))

    def migrated(self, log: LogFile) -> SessionLog:
        """Return an older log in the own format; raises `Refuse`.

        Only v4 lists the children of a session.
        (MIG-ERROR-MAP, MIG-FACTS-COLLECT, MIG-FORK-CHILD, MIG-TORN-TAIL.)
        """
        stored = SessionLog(header=log.header, inherited=log.inherited, events=log.events)
        mine = str(log.header["id"])
        children = tuple(self.children(mine)) if self._format == VERSION else ()
        moved = upgrade(stored, to=self._format, children=children)
        if isinstance(moved, Refusal):
            raise refuse(moved)
        return moved

    def revision(self) -> str:
        """Return what changes with any log of the root: any of them may be a child of any other."""
        found = [
            f"{artifact.path} {revision(artifact.path.stat(follow_symlinks=False))}"
            for artifact in self._artifacts()
        ]
        return hashlib.sha256("\n".join(sorted(found)).encode("utf-8", "replace")).hexdigest()

    def published(self, artifact: Artifact) -> Artifact:
        """Return the session's log in the own format, published if it was not; raises `Refuse`.

        Whoever calls holds the session's lock.
        (MIG-WRITE-PUBLISH, MIG-LAYOUT, MIG-VERIFY, MIG-CONFLICT, MIG-DRIFT, MIG-PUBLISH-ONCE.)
        """
        if self.current(artifact):
            return artifact
        before = self.revision()
        log = self.migrated(self._read(artifact)[0])
        path = artifact.path.with_name(log_name(self._format, self._packing.compression))
        content = self._packing.header(log.header) + self._packing.batch(log.events)

        def check(written: bytes) -> None:
            self._check(log, written)
            if self.revision() != before:
                problem = f"{artifact.path} or a log of a child changed meanwhile"
                raise Refuse(RefusalKind.OTHER, problem, "MIG-DRIFT")

        try:
            publish(path, content, check)
        except FileExistsError:
            if not path.is_file() or not path.read_bytes().startswith(content):
                problem = f"{path} is another log than {artifact.path} comes to"
                raise Refuse(RefusalKind.CORRUPT, problem, "MIG-CONFLICT") from None
        return Artifact(path=path, version=self._format)

    def _check(self, log: SessionLog, written: bytes) -> None:
        """Refuse to publish what does not read as *log*, or what contradicts itself."""
        found = load_stored(
            written,
            compression=self._packing.compression,
            decompressor=self._packing.decompressor(),
            format=self._format,
        )
        if isinstance(found, Refusal):
            raise refuse(found)
        if found.torn or not equal(found.events, log.events):
            raise Refuse(RefusalKind.CORRUPT, "the log was not written right", "MIG-VERIFY")
        wrong = verify(log)
        if wrong is not None:
            raise refuse(wrong)

    def children(self, parent: str) -> Iterator[ChildFact]:
        """Yield what is known of the children of a session (MIG-FACTS-COLLECT)."""
        for artifact in self._artifacts():
            header, _ = self._peek(artifact)
            if not isinstance(header, Refusal) and is_child(header, parent):
                yield child_fact(header, self._log(artifact))

    def _log(self, artifact: Artifact) -> SessionLog | Refusal:
        try:
            log, _ = self._read(artifact)
        except Refuse as refusal:
            return Refusal(
                kind=refusal.kind,
                rule=refusal.rule or "",
                where=str(artifact.path),
                problem=str(refusal),
            )
        return SessionLog(header=log.header, inherited=log.inherited, events=log.events)

    def _artifacts(self) -> Iterator[Artifact]:
        for key in self._layout.keys():  # noqa: SIM118 - it is no mapping
            with suppress(Refuse):
                artifact = self._layout.find(key)
                if artifact is not None:
                    yield artifact
