"""Sabotages of a store of an older format: it does in one thing as stores of the next one do.

The base is `jsonl` in format v3.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from dsh_conformance.backends.jsonl import JsonlStorage
from dsh_conformance.backends.jsonl_writer import Packing
from dsh_conformance.backends.layout import Artifact
from dsh_conformance.backends.store import Store
from dsh_conformance.implementation.backend import Access, Refuse, StoreBackend, StoreHandle
from dsh_conformance.sabotage.files import Serving
from dsh_conformance.sabotage.wrap import WrappedHandle, WrappedStore
from dsh_reference.admit import admit
from dsh_reference.closers import closers_of
from dsh_reference.files import LogFile, header_line, log_name, parse_log_name, read_log
from dsh_reference.header import VERSION
from dsh_reference.migrate.edit import Wrong
from dsh_reference.migrate.v3_to_v4.convert import converted
from dsh_reference.refusal import Refusal
from dsh_spec.catalogue import Format
from dsh_spec.events import event_types
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject, is_object

#: The format of the store.
OWN: Final[Format] = 3
_OWN_HEADER, _NEXT_HEADER = b'"version":3', b'"version":4'


class AcceptsTheNextHeader(WrappedStore):
    """A session is created under a header of the next format, as if it said the own one."""

    def create(self, header: JsonObject, inherited_event_count: int | None = None) -> StoreHandle:
        own = {**header, "version": OWN} if header.get("version") == VERSION else header
        return super().create(own, inherited_event_count)


class ShowsTheNextHeader(WrappedStore):
    """Snapshots show the header of the next format."""

    def stat(self, session_id: str) -> JsonObject | None:
        snapshot = self.inner.stat(session_id)
        return None if snapshot is None else _raised(snapshot)

    def list(self) -> Sequence[JsonObject]:
        return [_raised(snapshot) for snapshot in self.inner.list()]


def _raised(snapshot: JsonObject) -> JsonObject:
    header = snapshot["header"]
    assert is_object(header)
    return {**snapshot, "header": {**header, "version": VERSION}}


class _NextHeaders(Packing):
    """Writes the header line of the next format."""

    def header(self, header: JsonObject) -> bytes:
        return super().header({**header, "version": VERSION})


class _UnderNextHeaders(JsonlStorage):
    """Reads its own files again."""

    def _header(self, artifact: Artifact, data: bytes) -> JsonObject | Refusal:
        return super()._header(artifact, data.replace(_NEXT_HEADER, _OWN_HEADER, 1))

    def _content(self, artifact: Artifact, limit: int) -> tuple[bytes, os.stat_result]:
        data, status = super()._content(artifact, limit)
        return data.replace(_NEXT_HEADER, _OWN_HEADER, 1), status


def writes_the_next_header(_inner: StoreBackend, workspace: Path) -> StoreBackend:
    """Logs have the header line of the next format under the name of the own one."""
    return Store("sabotage", _UnderNextHeaders(workspace.absolute(), _NextHeaders("none"), OWN))


class CallsItsOwnLogsOlder(WrappedStore):
    """A stored log of the own format is refused as one of an older format, to be migrated first."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        path = self.locate(session_id)
        if path and parse_log_name(Path(path).name) == (OWN, "none"):
            problem = f"the log is of format v{OWN}, older than v{VERSION}"
            raise Refuse(RefusalKind.UNSUPPORTED_FORMAT, problem, "HDR-VERSION-FIRST")
        return super().open(session_id, access)


def _read(content: bytes) -> LogFile | None:
    """Return the log of the own format that a file holds, as it lies there."""
    log = read_log(content, compression="none", format=OWN)
    return log if isinstance(log, LogFile) else None


class AdmitsTheNextVocabulary(Serving):
    """Events of types that came with the next format are admitted."""

    def salvaged(self, content: bytes, refusal: Refuse) -> LogFile | None:
        log = _read(content) if refusal.rule == "INV-VOCAB" else None
        events = log.events if log else ()
        kinds = {event["type"] for event in events if event.get("ignorable") is not True}
        return log if kinds <= {*event_types(VERSION), *event_types(OWN)} else None


class AdmitsTheNextAnswers(Serving):
    """An answer of a tool is admitted in the role that the next format gave it."""

    def salvaged(self, content: bytes, refusal: Refuse) -> LogFile | None:
        log = _read(content) if refusal.kind is RefusalKind.CORRUPT else None
        return log if log and log.events and log.events[-1]["type"] == "tool/result" else None


class ReadsTheNextVersion(Serving):
    """A header of the next format is read as one of the own format."""

    def salvaged(self, content: bytes, refusal: Refuse) -> LogFile | None:
        line, line_feed, rows = content.partition(b"\n")
        own = line.replace(_NEXT_HEADER, _OWN_HEADER) + line_feed + rows
        return _read(own) if refusal.rule == "HDR-VERSION-FIRST" else None


class JudgesByTheNextRules(WrappedStore):
    """A stored log is judged by the rules of the next format, which knows other messages."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        path = self.locate(session_id)
        log = read_log(Path(path).read_bytes(), compression="none", format=OWN) if path else None
        if isinstance(log, LogFile):
            header = {**log.header, "version": VERSION}
            verdict = admit(header, log.inherited, log.events)
            if isinstance(verdict, Refusal):
                raise Refuse(verdict.kind, str(verdict), verdict.rule)
        return super().open(session_id, access)


class AnswersInTheNextRole(WrappedHandle):
    """Answers of tools are read in the words of the next format."""

    def read(self, offset: int = 0, length: int | None = None) -> Sequence[Json]:
        return [_next_words(event) for event in self.inner.read(offset, length)]


def _next_words(event: Json) -> Json:
    if not is_object(event) or event["type"] != "tool/result":
        return event
    moved = converted(event)
    return event if isinstance(moved, Wrong) else moved


class ClosesForksAsTheNext(WrappedHandle):
    """What a fork inherits in an open turn is shown closed, as forks of the next format are."""

    def read(self, offset: int = 0, length: int | None = None) -> Sequence[Json]:
        events = [event for event in self.inner.read() if is_object(event)]
        closing = closers_of(events, format=OWN) if self.inner.header["isSeeded"] else ()
        whole = [*events, *map(_forked, closing)]
        return whole[offset : None if length is None else offset + length]


def _forked(closer: JsonObject) -> JsonObject:
    match closer:
        case {"type": "turn/end", "data": {"turn": turn}}:
            return {**closer, "data": {"turn": turn, "reason": {"kind": "forked"}}}
    return closer


def _to_publish(path: str | None, access: Access) -> Path | None:
    """Return the older log that is published when it is opened, if that is what an opening does."""
    parsed = parse_log_name(Path(path).name) if path and access == "write" else None
    return Path(path) if path and parsed and parsed[0] < OWN else None


class PublishesTheNewestToo(WrappedStore):
    """Opening an older log for writing publishes a log of the next format beside the own one."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        older = _to_publish(self.locate(session_id), access)
        handle = super().open(session_id, access)
        if older:
            header = {**handle.header, "version": VERSION}
            older.with_name(log_name(VERSION, "none")).write_bytes(header_line(header))
        return handle


class PublishesAsTheNewest(WrappedStore):
    """The published log has the name of the next format."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        older = _to_publish(self.locate(session_id), access)
        handle = super().open(session_id, access)
        if older:
            published = older.with_name(log_name(OWN, "none"))
            published.rename(published.with_name(log_name(VERSION, "none")))
        return handle
