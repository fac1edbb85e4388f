"""Format v1: 51 types, said as differences from format v2.

A stream is not yet embedded in its message: each piece of it is an event, ``assistant/chunk``, and
a message cites the chunks that it was assembled from.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from attrs import evolve, frozen

from dsh_spec.events import v4_core as core
from dsh_spec.events.kinds import Count, Flag, Name, Positive
from dsh_spec.events.record import Body
from dsh_spec.events.v1_stream import StreamChunk
from dsh_spec.events.v2 import V2
from dsh_spec.events.v4_interaction import GoalChange
from dsh_spec.events.v4_message import Message
from dsh_spec.events.vocabulary import Vocabulary


@frozen(kw_only=True)
class GoalSource:
    """The goal that the agent pursues, or a change of it that stands in the message itself."""

    #: The goal's id.
    goal_id: Name
    #: The goal's revision.
    revision: Positive
    #: The round, counted from 1; 0 with a change.
    round: Count
    #: The change; the message then consists of the goal's state (SRC-GOAL-LEGACY).
    change: GoalChange | None = None


@frozen(kw_only=True)
class AssistantChunk(Body):
    """A piece of the model's stream, as it came (RD-CHUNK-UNCHECKED)."""

    #: The open turn.
    turn: Count
    #: The open step.
    step: Count
    #: The piece: the start of a block, a delta, the end of a block, the usage or the finish.
    chunk: StreamChunk


@frozen(kw_only=True)
class AssistantMessage(Body):
    """What the model answered; its tool-call blocks advertise calls."""

    #: The open turn.
    turn: Count
    #: The open step.
    step: Count
    #: The message, role ``assistant``, source kind ``model``.
    message: Message
    #: What the call cost.
    usage: core.TokenUsage | None = None
    #: Whether it is the kept prefix of a cancelled stream.
    interrupted: Flag = False


def _types() -> Mapping[str, type[Body]]:
    kept = {type_: body for type_, body in V2.types.items() if type_ != "assistant/attempt"}
    own = {"assistant/chunk": AssistantChunk, "assistant/message": AssistantMessage}
    return MappingProxyType({**kept, **own})


def _sources() -> Mapping[str, type]:
    kept = {kind: fields for kind, fields in V2.sources.items() if kind != "agent-message"}
    return MappingProxyType({**kept, "goal": GoalSource})


#: The vocabulary of format v1.
V1: Final[Vocabulary] = evolve(
    V2,
    format=1,
    types=_types(),
    late=MappingProxyType({}),
    core=(V2.core - {"assistant/attempt"}) | {"assistant/chunk"},
    checked=frozenset(_types()),
    sources=_sources(),
    missing=MappingProxyType({**V2.missing, core.EndSeed: frozenset({"inherited"})}),
)
