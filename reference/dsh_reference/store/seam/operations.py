"""The operations of the store seam, as values: each names its session by id."""

from collections.abc import Sequence
from typing import TypeAlias

from attrs import frozen

from dsh_spec.values import Json, JsonObject


@frozen(kw_only=True)
class Create:
    """Reserve an id for a session."""

    #: The logical header.
    header: JsonObject
    #: Whether the header holds a value outside JSON.
    hostile: bool = False
    #: The process that is asked.
    process: str = "main"


@frozen(kw_only=True)
class Append:
    """Append a batch to a session."""

    #: The session's id.
    session: str
    #: The events.
    events: Sequence[Json]
    #: Whether the batch holds a value outside JSON.
    hostile: bool = False
    #: Why reads must refuse once the batch is stored, where it breaks a rule of the log.
    poison: str | None = None
    #: The process that is asked.
    process: str = "main"


@frozen(kw_only=True)
class Load:
    """Read a session and commit its repair."""

    #: The session's id.
    session: str
    #: The process that is asked.
    process: str = "main"


@frozen(kw_only=True)
class Inspect:
    """Read a session as a load would, and commit nothing."""

    #: The session's id.
    session: str
    #: The process that is asked.
    process: str = "main"


@frozen(kw_only=True)
class ReadFrom:
    """Read the stored events from a seq on."""

    #: The session's id.
    session: str
    #: The first seq; any number, since wrong ones must be refused.
    start: float = 0
    #: The process that is asked.
    process: str = "main"


@frozen(kw_only=True)
class ListAll:
    """Ask for the headers of all stored sessions."""

    #: The process that is asked.
    process: str = "main"


@frozen(kw_only=True)
class ListSnapshots:
    """Ask for the headers and revisions of all stored sessions."""

    #: The process that is asked.
    process: str = "main"


Operation: TypeAlias = Create | Append | Load | Inspect | ReadFrom | ListAll | ListSnapshots
