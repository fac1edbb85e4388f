"""Format v3: 58 types, said as differences from format v4.

The payloads are open as in v4, but for the system message, which is exact (PL-SYSTEM-MESSAGE).
Tool results are wrapped in a user message, and plugins are named in a source of kind ``plugin``.
"""

from types import MappingProxyType
from typing import Final, Literal

from attrs import evolve, frozen

from dsh_spec.events import v4_core as core
from dsh_spec.events import v4_delegation as delegation
from dsh_spec.events import v4_message as message
from dsh_spec.events import v4_session as session
from dsh_spec.events.kinds import Name
from dsh_spec.events.record import OpenBody, Unchecked
from dsh_spec.events.v2 import V2
from dsh_spec.events.v4_types import CHECKED_TYPES, CORE_TYPES, EVENT_TYPES, SURFACE_TYPES
from dsh_spec.events.vocabulary import Vocabulary


@frozen(kw_only=True)
class TeamMember(OpenBody):
    """A member of a team changed."""

    #: The version of this shape; 2 came within the format.
    version: Literal[1, 2]
    #: The team's id.
    team_id: Name
    #: The member's new state.
    member: delegation.Member


@frozen(kw_only=True)
class TeamTask(OpenBody):
    """A task of a team changed."""

    #: The version of this shape; 2 came within the format.
    version: Literal[1, 2]
    #: The team's id.
    team_id: Name
    #: The task's new state.
    task: delegation.Task


@frozen(kw_only=True)
class QueuedMessage(delegation.QueuedMessage):
    """A message between members of a team."""

    #: Whether the receiver is woken for it; version 1 only, and there always.
    delivery: Unchecked[Literal["quiet", "wakeup"]] = None


@frozen(kw_only=True)
class TeamMessageQueued(OpenBody):
    """A message between members of a team waits."""

    #: The version of this shape; 2 came within the format.
    version: Literal[1, 2]
    #: The team's id.
    team_id: Name
    #: The message.
    message: QueuedMessage


@frozen(kw_only=True)
class TeamMessageDelivered(OpenBody):
    """A message between members of a team arrived."""

    #: The version of this shape; 2 came within the format.
    version: Literal[1, 2]
    #: The team's id.
    team_id: Name
    #: The message's id.
    message_id: Name
    #: The receiver's session id.
    target_id: Name


#: Types of format v4 that came after v3.
_LATER: Final = frozenset(
    {"developer/message", "job/registered", "job/settled", "working-directory/change"}
)

_TYPES: Final = {
    **{type_: body for type_, body in EVENT_TYPES.items() if type_ not in _LATER},
    "team/member": TeamMember,
    "team/message/delivered": TeamMessageDelivered,
    "team/message/queued": TeamMessageQueued,
    "team/task": TeamTask,
}

#: The vocabulary of format v3.
V3: Final = Vocabulary(
    format=3,
    types=MappingProxyType(_TYPES),
    surface=SURFACE_TYPES - _LATER,
    core=CORE_TYPES - _LATER,
    checked=CHECKED_TYPES - _LATER,
    blocks=V2.blocks,
    missing=MappingProxyType(
        {
            delegation.ToolPtcDispatch: frozenset({"meta"}),
            message.Message: frozenset({"tool_call_id", "is_error"}),
            session.SessionTitleLlmRequest: frozenset({"reasoning_effort"}),
        }
    ),
)

#: What a system message of format v3 is read with, being exact.
V3_SYSTEM: Final[Vocabulary] = evolve(
    V2,
    format=3,
    types=MappingProxyType({"system/message": core.SystemMessage}),
    late=MappingProxyType({}),
)
