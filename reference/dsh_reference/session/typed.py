"""Events of format v4 as values of their classes, or the rule that keeps one from being so."""

from collections.abc import Mapping, Sequence

from dsh_reference.refusal import Refusal
from dsh_reference.session.refuse import refuse_event
from dsh_spec.events import Event, ShapeError, structure_event
from dsh_spec.values import Json


def typed(events: Sequence[Json], base_seq: int = 0) -> list[Event] | Refusal:
    """Return the events of a log of v4, or the first rule that one breaks on its own."""
    read: list[Event] = []
    for seq, raw in enumerate(events, base_seq):
        if not isinstance(raw, Mapping):
            return refuse_event(seq, "ENV-KEYS", "it is no object")
        try:
            read.append(structure_event(raw))
        except ShapeError as error:
            return refuse_event(seq, error.rule, f"{error.path} {error.problem}")
    return read
