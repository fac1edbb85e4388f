"""The kinds of refusal that the adapter protocol knows."""

from enum import StrEnum


class RefusalKind(StrEnum):
    """Why an operation was refused; a suite compares the kind only where a rule pins it."""

    #: No session has that id.
    NOT_FOUND = "not-found"
    #: A session with that id exists already.
    ALREADY_EXISTS = "already-exists"
    #: Another writer holds the session.
    ALREADY_OWNED = "already-owned"
    #: The handle was opened for reading.
    READ_ONLY = "read-only"
    #: The handle is closed.
    CLOSED = "closed"
    #: The writer's ownership ended without its doing.
    OWNERSHIP_LOST = "ownership-lost"
    #: The batch does not begin at the next seq, or has a gap or a repeat.
    SEQ_MISMATCH = "seq-mismatch"
    #: A value lies outside JSON.
    NOT_JSON = "not-json"
    #: An argument is out of its domain.
    INVALID_ARGUMENT = "invalid-argument"
    #: An event breaks a rule of the log.
    INVALID_EVENT = "invalid-event"
    #: A fork boundary names no event.
    INVALID_BOUNDARY = "invalid-boundary"
    #: A fork boundary lies inside an open turn (formats v0 to v3).
    OPEN_TURN = "open-turn"
    #: Stored data is damaged.
    CORRUPT = "corrupt"
    #: Stored data is of a format or vocabulary that this build does not read.
    UNSUPPORTED_FORMAT = "unsupported-format"
    #: A migration edge refuses the log.
    UNSUPPORTED_MIGRATION = "unsupported-migration"
    #: The operating system refused.
    IO = "io"
    #: Anything else.
    OTHER = "other"
