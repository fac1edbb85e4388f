"""What a log over an alphabet has come to, kept event by event by the shapes that wrote it."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from attrs import evolve, field, frozen

from dsh_conformance.generate.state import Raw

#: The format of all these logs.
FORMAT = 4


@frozen(kw_only=True)
class Call:
    """A call that an answer named and that has no result."""

    #: The turn that the answer named.
    turn: int
    #: The step that the answer named.
    step: int
    #: The seq of the latest ``tool/call``, if there was one.
    started: int | None = None


@frozen(kw_only=True)
class Tools:
    """What a model has been told of tools; before the first header nothing was begun."""

    #: Whether a header has come.
    begun: bool = False
    #: The tools with which the series began.
    baseline: tuple[Raw, ...] = ()
    #: The tools of the latest header.
    active: tuple[Raw, ...] = ()
    #: The changes since the series began.
    updates: tuple[Raw, ...] = ()
    #: The latest declaration of each tool of the series.
    declared: Mapping[str, Raw] = field(factory=dict)
    #: The names that are available.
    available: frozenset[str] = frozenset()


@frozen(kw_only=True)
class Ledger:
    """A log, and what it has come to."""

    #: The events.
    events: tuple[Raw, ...] = ()
    #: The seqs on the surface, in its order.
    nodes: tuple[int, ...] = ()
    #: What each event of a surface type shows; nothing where it shows none.
    shown: Mapping[int, Raw | None] = field(factory=dict)
    #: The replacements, as a fold answers them.
    replaced: tuple[Raw, ...] = ()
    #: How many projections there were.
    projections: int = 0
    #: The open turn and the open step.
    turn: int | None = None
    step: int | None = None
    #: The number of the last turn, and that of the last step in it.
    last_turn: int = 0
    last_step: int = 0
    #: The open calls, in the order in which their ids first came up.
    calls: Mapping[str, Call] = field(factory=dict)
    #: The latest request header in canonical form, and the latest context.
    header: Raw | None = None
    context: Raw | None = None
    #: The tools.
    tools: Tools = field(factory=Tools)
    #: Whether a reader of stored logs accepts it.
    orderly: bool = True

    @property
    def seq(self) -> int:
        """The seq of the next event."""
        return len(self.events)

    @property
    def place(self) -> Raw:
        """The turn and the step that an event names: the open ones, or else the last ones."""
        return {"turn": self.last_turn or 1, "step": self.last_step or 1}

    @property
    def in_step(self) -> bool:
        """Whether a turn and a step are open."""
        return self.turn is not None and self.step is not None

    def type_of(self, seq: int) -> str:
        """Return the type of an event."""
        kind: str = self.events[seq]["type"]
        return kind

    def has(self, kind: str) -> bool:
        """Tell whether there is an event of a type."""
        return any(each["type"] == kind for each in self.events)

    def find(self, kind: str) -> int | None:
        """Return the last node of a type."""
        return next((seq for seq in self.nodes[::-1] if self.type_of(seq) == kind), None)


@frozen(kw_only=True)
class Move:
    """The next event of a log."""

    #: The event.
    event: Raw
    #: The rule that refuses it; empty for an event that is taken.
    refused: str = ""
    #: Whether it is refused for its payload alone, which a fold need not look at.
    local: bool = False
    #: The ledger after it, where it is taken.
    after: Ledger


#: Writes the next event in one way, or nothing where that is impossible.
Shape: TypeAlias = Callable[[Ledger], Move | None]


def event(ledger: Ledger, kind: str, data: Any, **envelope: Any) -> Raw:
    """Return the next event; its time goes back now and then."""
    seq = ledger.seq
    time = 100 + seq - 7 * (seq % 3 == 2)
    return {"type": kind, "seq": seq, "time": time, "data": data, **envelope}


def logged(ledger: Ledger, made: Raw, *, orderly: bool = True, **changes: Any) -> Move:
    """Return a move to the ledger with *changes*."""
    events = (*ledger.events, made)
    is_orderly = ledger.orderly and orderly
    return Move(event=made, after=evolve(ledger, events=events, orderly=is_orderly, **changes))


def appended(
    ledger: Ledger, made: Raw, message: Raw | None, *, orderly: bool = True, **changes: Any
) -> Move:
    """Return a move that puts the event behind the last node; *message* is what it shows."""
    made = {**made, "surfaceOp": "append"}
    nodes, shown = (*ledger.nodes, ledger.seq), {**ledger.shown, ledger.seq: message}
    return logged(ledger, made, orderly=orderly, nodes=nodes, shown=shown, **changes)


def replacing(
    ledger: Ledger, made: Raw, message: Raw | None, first: int, last: int, *, orderly: bool = True
) -> Move:
    """Return a move that puts the event in the place of the nodes from one position to another."""
    seq, nodes = ledger.seq, ledger.nodes
    shadowed = list(nodes[first : last + 1])
    start, end = shadowed[0], shadowed[-1]
    operation = {"op": "replace", "startSeq": start, "endSeq": end}
    made = {**made, "surfaceOp": operation, "sourceEventSeqs": shadowed[::-1]}
    record = {"seq": seq, "start": start, "end": end, "shadowedSeqs": shadowed}
    return logged(
        ledger,
        made,
        orderly=orderly,
        nodes=(*nodes[:first], seq, *nodes[last + 1 :]),
        shown={**ledger.shown, seq: message},
        replaced=(*ledger.replaced, record),
    )


def refused(ledger: Ledger, made: Raw, rule: str, *, local: bool = False) -> Move:
    """Return a move that is no move: the rule refuses the event."""
    return Move(event=made, refused=rule, local=local, after=ledger)
