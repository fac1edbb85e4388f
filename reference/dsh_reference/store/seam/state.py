"""What the model of a store-seam store remembers."""

from collections.abc import Mapping
from typing import cast

from attrs import evolve, field, frozen

from dsh_reference.closers import closers_of
from dsh_reference.refusal import Refusal
from dsh_reference.store.seam.legacy import present
from dsh_reference.store.state import Trouble
from dsh_spec.catalogue import Format
from dsh_spec.values import Json, JsonObject


@frozen(kw_only=True)
class Stored:
    """One session in storage."""

    #: The logical header, as created.
    header: JsonObject
    #: The acknowledged events, in seq order and in the shape in which they were appended.
    events: tuple[Json, ...]
    #: The format that they are in.
    format: Format = 0
    #: Whether bytes of a record that was never finished lie behind them.
    torn: bool = False
    #: Why it cannot be read, if it cannot.
    trouble: Trouble | None = None

    @property
    def view(self) -> tuple[JsonObject, ...]:
        """The events as a reader sees them (``STORE-LEGACY-READ``)."""
        events = cast("tuple[JsonObject, ...]", self.events)
        if self.format:
            return events
        shown = present(events, str(self.header["id"]))
        assert not isinstance(shown, Refusal), "an unreadable session has a trouble"
        return shown

    @property
    def closers(self) -> tuple[JsonObject, ...]:
        """What ends its open turn, if it has one (``STORE-CLOSERS-ON-LOAD``)."""
        return closers_of(self.view, format=self.format)

    @property
    def whole(self) -> tuple[JsonObject, ...]:
        """The events as a load returns them."""
        view = self.view
        return (*view, *closers_of(view, format=self.format))

    @property
    def needs_repair(self) -> bool:
        """Whether a load commits anything."""
        return self.torn or bool(self.closers)

    def repaired(self) -> "Stored":
        """Return the session after its repair was committed."""
        return evolve(self, events=(*self.events, *self.closers), torn=False)


@frozen(kw_only=True)
class World:
    """One workspace: what is stored in it, and what each instance on it knows."""

    #: The format that its store writes.
    format: Format = 0
    #: Whether stored sessions outlive the process.
    durable: bool = True
    #: The sessions in storage, by id.
    stored: Mapping[str, Stored] = field(factory=dict)
    #: The headers of sessions that were created and have no event yet, by process and id.
    reserved: Mapping[tuple[str, str], JsonObject] = field(factory=dict)
    #: The sessions whose next seq an instance knows, since it has created, loaded or appended to
    #: them: process and id.
    known: frozenset[tuple[str, str]] = frozenset()
    #: The ids that were reserved once and are free again.
    freed: frozenset[str] = frozenset()

    def has(self, session_id: str, process: str) -> bool:
        """Whether *process* may not create the id (``STORE-NO-CLOBBER``)."""
        return session_id in self.stored or (process, session_id) in self.reserved

    def ids(self, process: str) -> tuple[str, ...]:
        """Return every id that *process* has created or finds in storage."""
        mine = [session_id for owner, session_id in self.reserved if owner == process]
        return (*self.stored, *(key for key in mine if key not in self.stored))

    def knows(self, session_id: str, process: str) -> bool:
        """Whether *process* appends to the session without looking into the storage."""
        return (process, session_id) in self.known

    def with_stored(self, session_id: str, session: Stored, process: str) -> "World":
        """Return the world with this session in storage, and known to *process*."""
        place = (process, session_id)
        waiting = {key: value for key, value in self.reserved.items() if key != place}
        return evolve(
            self,
            stored={**self.stored, session_id: session},
            reserved=waiting,
            known=self.known | {place},
        )
