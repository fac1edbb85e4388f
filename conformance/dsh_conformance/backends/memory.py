"""The smallest backend: logs in the memory of one instance, gone when it ends."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from uuid import uuid4

from attrs import define, field

from dsh_conformance.backends.options import FORMATS, format_named, options
from dsh_conformance.backends.storage import Log, admitted
from dsh_conformance.backends.store import Store
from dsh_conformance.implementation.backend import StoreBackend
from dsh_conformance.implementation.capabilities import StoreClaims
from dsh_reference.header import VERSION
from dsh_reference.values import dump
from dsh_spec.catalogue import Format
from dsh_spec.values import Json, JsonObject


def memory(_workspace: Path, config: Mapping[str, str]) -> StoreBackend:
    """Make a backend that stores nothing outside this process; option ``format=4|3``."""
    chosen = options("memory", config, format=FORMATS)
    return Store("dsh-conformance memory", MemoryStorage(format_named(chosen["format"])))


@define
class _Session:
    header: JsonObject
    inherited: int
    #: What sets this session apart from others that have had its id.
    incarnation: str = field(factory=lambda: uuid4().hex)
    rows: list[str] = field(factory=list)
    appends: int = 0


class MemoryStorage:
    """Sessions in a dictionary."""

    def __init__(self, format: Format = VERSION) -> None:  # noqa: A002 - the word of the specification
        self._format = format
        self._sessions: dict[str, _Session] = {}

    @property
    def claims(self) -> StoreClaims:
        """What it promises."""
        return StoreClaims(
            seam="handle",
            format=self._format,
            durable=False,
            cross_process_lock=False,
            artifacts=None,
        )

    def stored_keys(self) -> Sequence[str]:
        """Return the keys under which something is stored."""
        return tuple(self._sessions)

    def exists(self, key: str) -> bool:
        """Whether a session is stored under the key."""
        return key in self._sessions

    def snapshot(self, key: str) -> dict[str, Json] | None:
        """Return the session's snapshot."""
        session = self._sessions.get(key)
        if session is None:
            return None
        return {
            "header": dict(session.header),
            "revision": _revision(session),
            "eventCount": len(session.rows),
        }

    def revision(self, key: str) -> str | None:
        """Return the session's incarnation and the number of its appends."""
        session = self._sessions.get(key)
        return _revision(session) if session else None

    def load(self, key: str) -> Log | None:
        """Return the admitted log."""
        session = self._sessions.get(key)
        if session is None:
            return None
        return admitted(
            Log(
                header=session.header,
                inherited=session.inherited,
                rows=tuple(session.rows),
                revision=_revision(session),
            )
        )

    def create(self, key: str, header: JsonObject, inherited: int) -> "MemoryWriter":
        """Return the writer of a new session; the store knows that there is no other."""
        return MemoryWriter(self._sessions, key, _Session(header, inherited))

    def open(self, key: str) -> "tuple[Log, MemoryWriter] | None":
        """Return the log and the writer of a stored session."""
        log = self.load(key)
        return (log, MemoryWriter(self._sessions, key, self._sessions[key])) if log else None

    def locate(self, _key: str, /) -> None:
        """Return nothing: no session has a file."""

    def close(self) -> None:
        """Do nothing: the memory goes with the instance."""


class MemoryWriter:
    """The writer of one session."""

    def __init__(self, sessions: dict[str, _Session], key: str, session: _Session) -> None:
        self._sessions = sessions
        self._key = key
        self._session = session

    @property
    def next_seq(self) -> int:
        """The seq of the next event."""
        return len(self._session.rows)

    def append(self, events: Sequence[JsonObject]) -> None:
        """Store the texts of events; the first call makes the session known."""
        self._session.rows.extend(map(dump, events))
        self._session.appends += 1
        self._sessions[self._key] = self._session

    def release(self) -> None:
        """Do nothing: the store keeps the claims of one process."""


def _revision(session: _Session) -> str:
    return f"{session.incarnation}:{session.appends}"
