"""The operations of the handle seam, as values."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from attrs import frozen

from dsh_spec.values import Json, JsonObject


@frozen(kw_only=True)
class Create:
    """Create a session and hold its write handle."""

    #: The name that the caller will use for the handle.
    handle: str
    #: The logical header.
    header: JsonObject
    #: How many leading events will be inherited; nothing for an unseeded session.
    inherited: int | None = None
    #: Whether the header holds a value outside JSON.
    hostile: bool = False
    #: The process that is asked.
    process: str = "main"


@frozen(kw_only=True)
class Open:
    """Open an existing session."""

    #: The name that the caller will use for the handle.
    handle: str
    #: The session's id.
    session: str
    #: What the handle is for.
    access: Literal["read", "write"]
    #: The process that is asked.
    process: str = "main"


@frozen(kw_only=True)
class Read:
    """Read events through a handle."""

    #: The handle's name.
    handle: str
    #: The first seq; any number, since wrong ones must be refused.
    offset: float = 0
    #: How many events at most; nothing for all the rest.
    length: float | None = None


@frozen(kw_only=True)
class Append:
    """Append a batch through a handle."""

    #: The handle's name.
    handle: str
    #: The events.
    events: Sequence[Json]
    #: Whether the batch holds a value outside JSON.
    hostile: bool = False
    #: Why reads must refuse once the batch is stored, where it breaks a rule of the log.
    poison: str | None = None


@frozen(kw_only=True)
class Flush:
    """Flush one handle."""

    #: The handle's name.
    handle: str


@frozen(kw_only=True)
class FlushAll:
    """Flush every open write handle of a process."""

    #: The process that is asked.
    process: str = "main"


@frozen(kw_only=True)
class Close:
    """Close a handle."""

    #: The handle's name.
    handle: str


@frozen(kw_only=True)
class Stat:
    """Ask for a session's snapshot."""

    #: The session's id.
    session: str
    #: The process that is asked.
    process: str = "main"


@frozen(kw_only=True)
class ListAll:
    """Ask for the snapshots of all sessions."""

    #: The process that is asked.
    process: str = "main"


Operation: TypeAlias = Create | Open | Read | Append | Flush | FlushAll | Close | Stat | ListAll
