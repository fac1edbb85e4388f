"""A log of an older format with the memory of how it came to be: what breaches need of it."""

from attrs import frozen

from dsh_conformance.generate.formats.state import PastState
from dsh_conformance.generate.state import Raw
from dsh_reference.session_log import SessionLog


@frozen(kw_only=True)
class Draft:
    """A valid log and where it stood after each event."""

    #: The logical header.
    header: Raw
    #: How many leading events were inherited.
    inherited: int
    #: The events.
    events: tuple[Raw, ...]
    #: The states: before the first event, and after each.
    states: tuple[PastState, ...]

    @property
    def log(self) -> SessionLog:
        """The log alone."""
        return SessionLog(header=self.header, inherited=self.inherited, events=self.events)

    @property
    def own(self) -> int:
        """The number of leading events that the cut is about: a prefix has them, or is no log."""
        if not self.header["isSeeded"]:
            return 0
        return self.inherited + (1 if self.header["version"] >= 2 else 0)

    def until(self, count: int, *more: Raw) -> SessionLog:
        """Return the first *count* events, and *more* after them; *count* is at least `own`."""
        events = (*self.events[:count], *more)
        return SessionLog(header=self.header, inherited=self.inherited, events=events)
