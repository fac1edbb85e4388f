"""What the model store remembers."""

from collections.abc import Mapping

from attrs import evolve, field, frozen

from dsh_reference.header import VERSION
from dsh_spec.catalogue import Format
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject


@frozen(kw_only=True)
class Promises:
    """What the store under test claims of itself, as far as the model's answers depend on it."""

    #: The format of the logs that it writes.
    format: Format = VERSION
    #: Whether stored sessions outlive the process.
    durable: bool = True
    #: Whether a writer in another process is kept out.
    cross_process_lock: bool = False


@frozen(kw_only=True)
class Trouble:
    """Why every read of a stored session must be refused."""

    #: The rule that demands the refusal.
    rule: str
    #: The kinds that say so; none means that the kind is not pinned.
    kinds: tuple[RefusalKind, ...] = ()
    #: Whether the header is damaged too, so that `stat` and `list` are free in what they say.
    header: bool = False
    #: Whether only what builds a session from the log refuses it: on the store seam a reader of
    #: stored events may serve them then.
    late: bool = False


@frozen(kw_only=True)
class Session:
    """One session, pending or stored."""

    #: The logical header, as created.
    header: JsonObject
    #: How many leading events are inherited.
    inherited: int = 0
    #: The acknowledged events, in seq order.
    events: tuple[Json, ...] = ()
    #: How many of them survive a crash for certain.
    flushed: int = 0
    #: Whether the session itself survives a crash for certain.
    kept: bool = False
    #: How many events the batch had that materialised it.
    first_batch: int = 0
    #: Why it cannot be read, if it cannot.
    trouble: Trouble | None = None
    #: Whether its log is of the store's own format.  An older one is shown migrated, and is
    #: published as one of that format when the session is opened for writing.
    published: bool = True
    #: Why it cannot be published although it can be read, if it cannot (``MIG-VERIFY``).
    barred: Trouble | None = None

    @property
    def needs_marker(self) -> bool:
        """Whether the session is seeded and its cut is not stored yet (``CUT-V2PLUS``)."""
        return self.header.get("isSeeded") is True and len(self.events) <= self.inherited


@frozen(kw_only=True)
class Handle:
    """One handle that the store gave out."""

    #: The session's id.
    session: str
    #: Whether it may append.
    writes: bool
    #: The process that it lives in.
    process: str
    #: Whether it is still open.
    is_open: bool = True
    #: Whether its session was erased under it; what it answers then is not pinned.
    orphaned: bool = False


@frozen(kw_only=True)
class World:
    """One workspace: its sessions and every handle that was given out on it."""

    #: The promises that its store makes.
    promises: Promises = field(factory=Promises)
    #: The sessions in storage, by id.
    stored: Mapping[str, Session] = field(factory=dict)
    #: The created sessions that are not in storage yet, by process and id.
    pending: Mapping[tuple[str, str], Session] = field(factory=dict)
    #: The handles by the name that the caller gave them.
    handles: Mapping[str, Handle] = field(factory=dict)
    #: Sessions that a writer has let go of by `Close`.
    released: frozenset[str] = frozenset()
    #: Sessions of which an opening for writing was refused.
    refused: frozenset[str] = frozenset()

    def session(self, session_id: str, process: str) -> Session | None:
        """Return the session as *process* sees it (``STORE-PENDING-VISIBLE``)."""
        return self.pending.get((process, session_id)) or self.stored.get(session_id)

    def sessions(self, process: str) -> Mapping[str, Session]:
        """Return all sessions that *process* sees, by id."""
        mine = {key: value for (owner, key), value in self.pending.items() if owner == process}
        return {**self.stored, **mine}

    def is_pending(self, session_id: str, process: str) -> bool:
        """Whether the session waits in *process* to be stored."""
        return (process, session_id) in self.pending

    def writer(self, session_id: str) -> Handle | None:
        """Return the open handle that writes the session (``STORE-SINGLE-WRITER``)."""
        for handle in self.handles.values():
            if handle.session == session_id and handle.writes and handle.is_open:
                return handle
        return None

    def with_handle(self, name: str, handle: Handle) -> "World":
        """Return the world with this handle put in."""
        return evolve(self, handles={**self.handles, name: handle})

    def with_stored(self, session_id: str, session: Session, process: str = "") -> "World":
        """Return the world with this session in storage, and no longer pending in *process*."""
        waiting = {k: v for k, v in self.pending.items() if k != (process, session_id)}
        return evolve(self, stored={**self.stored, session_id: session}, pending=waiting)
