"""Logs in the memory of one instance, gone when it ends."""

from collections.abc import Sequence
from typing import cast
from uuid import uuid4

from attrs import define, field

from dsh_conformance.backends.seam.storage import FORMAT, StoredLog
from dsh_conformance.implementation.capabilities import StoreClaims
from dsh_reference.values import dump, parse
from dsh_spec.values import Json, JsonObject


@define
class _Session:
    header: str
    rows: list[str]
    #: What sets this session apart from those of other stores.
    incarnation: str = field(factory=lambda: uuid4().hex)
    commits: int = 1

    @property
    def revision(self) -> str:
        return f"{self.incarnation}:{self.commits}"


class MemorySeamStorage:
    """Sessions in a dictionary."""

    def __init__(self) -> None:
        self._sessions: dict[str, _Session] = {}

    @property
    def claims(self) -> StoreClaims:
        """What it promises."""
        return StoreClaims(
            seam="store", format=FORMAT, durable=False, cross_process_lock=False, artifacts=None
        )

    def stored_keys(self) -> Sequence[str]:
        """Return the keys under which something is stored."""
        return tuple(self._sessions)

    def exists(self, key: str) -> bool:
        """Whether a session is stored under the key."""
        return key in self._sessions

    def snapshot(self, key: str) -> tuple[JsonObject, str] | None:
        """Return header and revision."""
        session = self._sessions.get(key)
        return None if session is None else (_object(session.header), session.revision)

    def load(self, key: str) -> StoredLog | None:
        """Return the stored log."""
        session = self._sessions.get(key)
        if session is None:
            return None
        return StoredLog(
            header=_object(session.header),
            events=tuple(map(_object, session.rows)),
            revision=session.revision,
            end=None,
        )

    def publish(self, key: str, header: JsonObject, events: Sequence[JsonObject]) -> object:
        """Store a new session."""
        self._sessions[key] = _Session(dump(header), list(map(dump, events)))
        return None

    def append(self, key: str, _end: object, events: Sequence[Json]) -> object:
        """Append to a session."""
        session = self._sessions[key]
        session.rows.extend(map(dump, events))
        session.commits += 1
        return None

    def locate(self, _key: str, /) -> None:
        """Return nothing: no session has a file."""

    def close(self) -> None:
        """Do nothing: the memory goes with the instance."""


def _object(text: str) -> JsonObject:
    return cast("JsonObject", parse(text))
