"""What a storage offers, so that `store.Store` can make a whole backend of it.

A *storage* holds logs and knows nothing of handles; it names a session by its *key*, the id as one
path segment.
A *writer* is the storage's side of one write handle: the claim on the session, and the place
where its log grows.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol, cast

from attrs import frozen

from dsh_conformance.implementation.backend import Refuse
from dsh_conformance.implementation.capabilities import StoreClaims
from dsh_reference.refusal import Refusal
from dsh_reference.stored import admit_stored
from dsh_reference.values import parse
from dsh_spec.catalogue import Format
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject


@frozen(kw_only=True)
class Log:
    """An admitted log; each event is JSON text, so that no reader changes what others get."""

    #: The logical header.
    header: JsonObject
    #: How many leading events were inherited.
    inherited: int
    #: One JSON text for each event.
    rows: tuple[str, ...]
    #: The storage's revision when the log was read.
    revision: str


class Writer(Protocol):
    """The one writer of a session."""

    @property
    def next_seq(self) -> int:
        """The seq of the next event."""

    def append(self, events: Sequence[JsonObject]) -> None:
        """Store checked events that continue the log: all of them, or none and raise `Refuse`.

        When it returns, they survive a crash of a durable storage.
        A created session's first call stores the header along with them, even with no events.
        """

    def release(self) -> None:
        """Give the claim up."""


class Storage(Protocol):
    """A place for logs."""

    @property
    def claims(self) -> StoreClaims:
        """What it promises."""

    def stored_keys(self) -> Sequence[str]:
        """Return the keys under which something is stored."""

    def exists(self, key: str) -> bool:
        """Whether anything is stored under the key, readable or not."""

    def snapshot(self, key: str) -> dict[str, Json] | None:
        """Return the session's snapshot; raises `Refuse` when its header cannot be read."""

    def revision(self, key: str) -> str | None:
        """Return a string that changes whenever the stored log does."""

    def load(self, key: str) -> Log | None:
        """Return the admitted log; raises `Refuse` when it cannot be served."""

    def create(self, key: str, header: JsonObject, inherited: int) -> Writer:
        """Claim a new session; raises `Refuse` when it is owned or exists."""

    def open(self, key: str) -> tuple[Log, Writer] | None:
        """Claim a stored session; raises `Refuse`, and leaves no claim, when it cannot be."""

    def locate(self, key: str, /) -> str | None:
        """Return the path of the session's own artifact file, where it has one."""

    def close(self) -> None:
        """Let go of files and connections; the writers were released before."""


def admitted(log: Log) -> Log:
    """Return *log* once its stored texts are admitted; raises `Refuse` when they are not.

    Its header says of which format they are.
    """
    events: list[Json] = []
    for row in log.rows:
        event = parse(row)
        if isinstance(event, Refusal):
            raise Refuse(RefusalKind.CORRUPT, f"event {len(events)}: {event.problem}", event.rule)
        events.append(event)
    version = cast("Format", log.header["version"])
    verdict = admit_stored(log.header, log.inherited, events, format=version)
    if verdict is not None:
        raise refuse(verdict)
    return log


def refuse(refusal: Refusal) -> Refuse:
    """Return the exception that says what *refusal* says."""
    return Refuse(refusal.kind, str(refusal), refusal.rule)


@contextmanager
def refusing_io() -> Iterator[None]:
    """Turn the operating system's refusals into the protocol's."""
    try:
        yield
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise Refuse(RefusalKind.IO, f"{where}{error.strerror or error}") from error
