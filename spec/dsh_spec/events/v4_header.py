"""The logical session header of format v4: what a store is given, and what it gives back."""

from collections.abc import Mapping
from typing import ClassVar, Literal

from attrs import frozen

from dsh_spec.events.kinds import AbsolutePath, Bool, Count, Text


@frozen(kw_only=True)
class Header:
    """What a session is; never rewritten (HDRL-RELEASED, HDR-IMMUTABLE)."""

    RULE: ClassVar[str] = "HDR-EXACT"
    RULES: ClassVar[Mapping[str, str]] = {"version": "HDR-VERSION-FIRST", "cwd": "HDR-CWD-ABS"}
    #: The format.
    version: Literal[4]
    #: The session's id.
    id: Text
    #: When the session was created, in ms since 1970 UTC.
    created_at: Count
    #: Whether the log begins with events of another session (CUT-V2PLUS).
    is_seeded: Bool
    #: How deep the session is delegated: 0 for a session of the user, its parent's plus 1 for a
    #: child; absent means 0 (HDRL-DEPTH-OPTIONAL).
    delegation_depth: Count | None = None
    #: The working directory (HDR-CWD-ABS).
    cwd: AbsolutePath | None = None
    #: The id of the session that this one was forked from or delegated by.
    parent_session: Text | None = None
    #: ``subagent`` where another session started it.
    origin: Literal["subagent"] | None = None
    #: The agent preset at the start.
    agent_preset: Text | None = None
