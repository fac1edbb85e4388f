"""What an implementation makes of the files of a case, seen through its store.

The files are put where a store of the format keeps them, and the session is opened for reading.
That migrates an older log in memory and leaves the files as they are, which is checked too.
Child sessions are put beside it, so that the store finds the facts which the case states.
"""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from attrs import frozen

from dsh_conformance.backends.zstd import Zstd
from dsh_conformance.golden.case import LOGS, NEWEST, Case
from dsh_conformance.implementation.connection import Connection
from dsh_conformance.implementation.outcome import Diagnosis, Fault, Ok, Outcome
from dsh_reference.files import Compression, encode_segment, log_name, project_directory
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_reference.values import dump, parse
from dsh_spec.values import JsonObject


@frozen(kw_only=True)
class Opened:
    """The log was read."""

    #: The log, in the format in which the implementation gives it out.
    log: SessionLog
    #: Whether the files were as before when it had been read.
    untouched: bool


@frozen(kw_only=True)
class Closed:
    """The log was refused."""

    #: The kind of refusal.
    kind: str
    #: The implementation's words.
    words: str
    #: Whether the files were as before.
    untouched: bool


@frozen(kw_only=True)
class Who:
    """Which implementation it is that reads."""

    #: Its version.
    version: str
    #: The format in which its store gives logs out.
    format: int
    #: The formats of the cases to show it: an older runtime is asked for its own alone.
    reads: tuple[int, ...] = ()


@frozen(kw_only=True)
class Observer:
    """An implementation on a workspace of one encoding, to which cases are shown."""

    #: The running implementation.
    connection: Connection
    #: The root of its store.
    workspace: Path
    #: The encoding of the logs there.
    compression: Compression

    @property
    def who(self) -> Who:
        """Who reads; raises `Fault` where it has no store."""
        capabilities = self.connection.capabilities
        if capabilities.store is None:
            what = f"{capabilities.implementation.name} claims no store, which could read a file"
            raise Fault(Diagnosis(blame="adapter", what=what))
        version, store = capabilities.implementation.version, capabilities.store
        older = store.migrates_from if store.format == NEWEST else ()
        return Who(version=version, format=store.format, reads=(store.format, *older))

    def observe(self, case: Case) -> Opened | Closed:
        """Show it *case*, and clear up."""
        identity, cwd = _identity(case)
        with self._placed(case, identity, cwd) as directory:
            outcome = self._read(identity)
            untouched = all(
                (directory / name).read_bytes() == data for name, data in self._files(case).items()
            )
        if isinstance(outcome, SessionLog):
            return Opened(log=outcome, untouched=untouched)
        kind, words = outcome
        return Closed(kind=kind, words=words.replace(str(self.workspace), ""), untouched=untouched)

    @contextmanager
    def _placed(self, case: Case, identity: str, cwd: str | None) -> Iterator[Path]:
        directory = self.workspace / project_directory(cwd) / encode_segment(identity)
        directory.mkdir(parents=True)
        for name, data in self._files(case).items():
            (directory / name).write_bytes(data)
        for fact in case.children:
            self._place_child(identity, fact)
        try:
            yield directory
        finally:
            for entry in self.workspace.iterdir():
                shutil.rmtree(entry)

    def _files(self, case: Case) -> Mapping[str, bytes]:
        own = next(name for name in LOGS if name in case.files)
        return {log_name(case.format, LOGS[own]): case.log, **case.beside}

    def _place_child(self, parent: str, fact: JsonObject) -> None:
        """Put a session there whose log shows just what *fact* says."""
        identity, count = fact["childId"], fact["descriptorCount"]
        assert isinstance(identity, str)
        assert isinstance(count, int)
        header: JsonObject = {
            "type": "session",
            "version": NEWEST,
            "id": identity,
            "createdAt": fact["childCreatedAt"],
            "parentSession": parent,
            "isSeeded": False,
            "origin": "subagent",
            "delegationDepth": 1,
        }
        rows: list[JsonObject] = [
            {"type": "subagent/descriptor", "seq": seq, "time": 1, "data": fact["descriptor"]}
            for seq in range(count)
        ]
        frame = Zstd().frame if self.compression == "zstd" else bytes
        parts = [dump(header) + "\n", "".join(dump(row) + "\n" for row in rows)]
        directory = self.workspace / project_directory(None) / encode_segment(identity)
        directory.mkdir(parents=True)
        log = b"".join(frame(part.encode()) for part in parts if part)
        (directory / log_name(NEWEST, self.compression)).write_bytes(log)

    def _read(self, identity: str) -> SessionLog | tuple[str, str]:
        store = self.connection.capabilities.store
        if store is not None and store.seam == "store":
            return self._inspect(identity)
        opened = self.connection.call("store/open", {"id": identity, "access": "read"})
        match opened:
            case Ok(
                {
                    "handle": int() as handle,
                    "header": dict() as header,
                    "inheritedEventCount": int() as inherited,
                }
            ):
                read = self.connection.call("store/read", {"handle": handle})
                self.connection.call("store/close", {"handle": handle})
                return _log(header, inherited, read)
            case Ok():
                raise _strange("store/open answered without a handle")
        return str(opened.kind), opened.message

    def _inspect(self, identity: str) -> SessionLog | tuple[str, str]:
        """Read where sessions are addressed by id; the marker or the header says the cut."""
        found = self.connection.call("store/inspect", {"id": identity})
        match found:
            case Ok({"header": dict() as header}):
                return _log(header, 0, found)
            case Ok():
                raise _strange("store/inspect answered without a header")
        return str(found.kind), found.message


def _log(header: JsonObject, inherited: int, read: Outcome) -> SessionLog | tuple[str, str]:
    match read:
        case Ok({"events": list() as events}):
            return SessionLog(header=header, inherited=inherited, events=tuple(events))
        case Ok():
            raise _strange("store/read answered without events")
    return str(read.kind), read.message


def _strange(what: str) -> Fault:
    return Fault(Diagnosis(blame="adapter", what=what))


def _identity(case: Case) -> tuple[str, str | None]:
    """Return the id and the cwd of the log's header; a log without one is put where s1 would be."""
    text: bytes | Refusal = case.log
    if case.compression == "zstd":
        text = Zstd().inflate().start(case.log)
    header = parse(text.split(b"\n", 1)[0]) if isinstance(text, bytes) else None
    if not isinstance(header, Mapping):
        return "s1", None
    identity, cwd = header.get("id"), header.get("cwd")
    return (
        identity if isinstance(identity, str) and identity else "s1",
        cwd if isinstance(cwd, str) else None,
    )
