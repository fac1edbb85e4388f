"""Emissions: what an edge lets out of itself before anything is numbered."""

from attrs import frozen

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


def image(event: JsonObject, seq: int) -> Emission:
    """Return the emission of what the event *seq* has become."""
    return Emission(event=event, origin=seq, is_image=True)


def addition(event: JsonObject, origin: int) -> Emission:
    """Return the emission of an event to which nothing in v1 can refer."""
    return Emission(event=event, origin=origin, is_image=False)
