"""A log as the rules between events see it: each event with the turn and step open around it."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from attrs import frozen

from dsh_spec.events import Event, StepEnd, StepStart, TurnEnd, TurnStart
from dsh_spec.events.compiled import builder
from dsh_spec.values import JsonObject


@frozen(kw_only=True)
class Place:
    """Where in turns and steps an event stands, going by the boundaries before it."""

    #: The open turn.
    turn: int | None = None
    #: The open step.
    step: int | None = None
    #: The turn that was opened last, 0 if none was.
    last_turn: int = 0
    #: The step that was opened last in that turn, 0 if none was.
    last_step: int = 0


@frozen(kw_only=True)
class Entry:
    """One event of a log."""

    #: The event.
    event: Event
    #: Where it stands.
    place: Place


_entry: Callable[[Event, Place], Entry] = builder(Entry)


@frozen(kw_only=True)
class Log:
    """A log whose every event is right on its own."""

    #: The logical header.
    header: JsonObject
    #: How many events are inherited.
    inherited: int
    #: The events, the one with seq n at index n.
    entries: tuple[Entry, ...]

    def event(self, seq: int) -> Event:
        """Return the event with that seq."""
        return self.entries[seq].event


@frozen(kw_only=True)
class Broken:
    """The first event with which a rule is broken."""

    #: The event's seq; the length of the log when it is the log as a whole.
    seq: int
    #: The slug of the rule.
    rule: str
    #: What is wrong, in one sentence.
    problem: str


#: The rules of one subject: a fold over the whole log, linear in its length.
Family: TypeAlias = Callable[[Log], Broken | None]


def make_log(header: JsonObject, inherited: int, events: Sequence[Event]) -> Log:
    """Place the events of a log."""
    place = Place()
    entries: list[Entry] = []
    for event in events:
        entries.append(_entry(event, place))
        place = _after(place, event)
    return Log(header=header, inherited=inherited, entries=tuple(entries))


def broken(event: Event, rule: str, problem: str) -> Broken:
    """Say that an event breaks a rule."""
    return Broken(seq=event.seq, rule=rule, problem=problem)


def _after(place: Place, event: Event) -> Place:
    turn, last_turn, last_step = place.turn, place.last_turn, place.last_step
    match event.data:
        case TurnStart(turn=number):
            return Place(turn=number, last_turn=number)
        case TurnEnd():
            return Place(last_turn=last_turn, last_step=last_step)
        case StepStart(step=step):
            return Place(turn=turn, step=step, last_turn=last_turn, last_step=step)
        case StepEnd():
            return Place(turn=turn, last_turn=last_turn, last_step=last_step)
        case _:
            return place
