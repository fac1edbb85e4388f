"""What an operation must come to, whatever the seam."""

from collections.abc import Mapping
from typing import Generic, TypeVar

from attrs import field, frozen

from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json

_World = TypeVar("_World")


@frozen(kw_only=True)
class Decision(Generic[_World]):
    """What an operation must come to."""

    #: The rule at stake.
    rule: str
    #: The world after acceptance; nothing when the store must refuse.
    accepted: _World | None
    #: The world after refusal; nothing when the store must accept.
    refused: _World | None
    #: The kinds of refusal that are right; none means that the kind is not pinned.
    kinds: tuple[RefusalKind, ...] = ()
    #: What the result must state, by the protocol's names.
    states: Mapping[str, Json] = field(factory=dict)


def Accept(rule: str, world: _World, **states: Json) -> Decision[_World]:  # noqa: N802 - reads as a verdict
    """Demand acceptance."""
    return Decision(rule=rule, accepted=world, refused=None, states=states)


def Refuse(rule: str, world: _World, *kinds: RefusalKind) -> Decision[_World]:  # noqa: N802 - the same
    """Demand a refusal that changes nothing."""
    return Decision(rule=rule, accepted=None, refused=world, kinds=kinds)
