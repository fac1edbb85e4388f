"""Emissions: what an edge lets out of itself before anything is numbered."""

from collections.abc import Callable

from attrs import frozen

from dsh_spec.events.compiled import builder
from dsh_spec.values import JsonObject


@frozen(kw_only=True)
class Emission:
    """An event of v2 that has no seq of v2 yet."""

    #: The event; its references, and its seq if it has one, are those of v1.
    event: JsonObject
    #: The seq in v1 that decides on which side of the cut it stands.
    origin: int
    #: It is what became of the event *origin*, so that references to that go on to it.
    is_image: bool


_emission: Callable[[JsonObject, int, bool], Emission] = builder(Emission)


def image(event: JsonObject, seq: int) -> Emission:
    """Return the emission of what the event *seq* has become."""
    return _emission(event, seq, True)  # noqa: FBT003


def addition(event: JsonObject, origin: int) -> Emission:
    """Return the emission of an event to which nothing in v1 can refer."""
    return Emission(event=event, origin=origin, is_image=False)
