"""Where a log stands: just enough to go on writing it validly, or to break it on purpose."""

from typing import Any, TypeAlias

from attrs import frozen

#: A raw event or a part of one, in JSON form.
Raw: TypeAlias = dict[str, Any]

#: The types whose events stand on the surface.
SURFACE = frozenset(
    ("user/message", "system/message", "developer/message", "assistant/message", "tool/result")
)


@frozen(kw_only=True)
class Call:
    """A tool call that an assistant message of the open step advertised and nothing answered."""

    #: The call's id.
    id: str
    #: The tool's name.
    name: str
    #: The arguments, as text.
    arguments: str
    #: The seq of its `tool/call`, once it has started.
    started: int | None = None


@frozen(kw_only=True)
class Bracket:
    """A compaction that has started and not ended."""

    #: The compaction's id.
    id: str
    #: The turn that was open at its start, or nothing.
    turn: int | None
    #: The command that asked for it, or nothing.
    command: str | None
    #: The seq of its `compaction/start`.
    start: int
    #: Whether its summary stands in the log.
    summarised: bool = False


@frozen(kw_only=True)
class Chain:
    """The latest of a chain of retries."""

    #: Step, provider and policy: what makes a chain within its turn.
    key: tuple[int, str, str]
    #: The id that the chain keeps.
    id: str
    #: The number of the latest retry, from 1.
    retry: int
    #: Whether that retry has started.
    started: bool = False


@frozen(kw_only=True)
class State:
    """A valid log, remembered by what its continuation depends on."""

    #: The seq of the next event, which is the number of events so far.
    seq: int = 0
    #: The time of the last event, in ms since the epoch.
    time: int = 0
    #: The seq of the last inherited marker: the length of the inherited prefix.
    cut: int | None = None
    #: The number of the last turn; 0 before the first.
    turn: int = 0
    #: Whether that turn is open.
    turn_open: bool = False
    #: The number of the last step of the turn; 0 before the first.
    step: int = 0
    #: Whether that step is open.
    step_open: bool = False
    #: The surface: its events in the order in which a model sees them.
    nodes: tuple[Raw, ...] = ()
    #: The calls without a result, in the order of their advertisement.
    calls: tuple[Call, ...] = ()
    #: The open compaction.
    bracket: Bracket | None = None
    #: The latest `request/header`.
    header: Raw | None = None
    #: The latest `request/header` that declares tools.
    declaring: Raw | None = None
    #: The seqs of the last messages that a person wrote.
    prompts: tuple[int, ...] = ()
    #: The ids of the last commands.
    commands: tuple[str, ...] = ()
    #: The retry chains of the turn, the latest last.
    chains: tuple[Chain, ...] = ()
    #: The data of the sub-calls that have started and not settled.
    dispatches: tuple[Raw, ...] = ()
    #: The images that a projection has taken out of sight: seq and index.
    offloaded: frozenset[tuple[int, int]] = frozenset()
    #: The ids of the child sessions that this session itself has listed.
    children: tuple[str, ...] = ()

    @property
    def head(self) -> Raw | None:
        """The protected head of the surface: its first node, when that is a system message."""
        first = self.nodes[0] if self.nodes else None
        return first if first is not None and first["type"] == "system/message" else None

    @property
    def loose(self) -> tuple[Raw, ...]:
        """The nodes that any message may replace: all but the protected head."""
        return self.nodes[1:] if self.head is not None else self.nodes

    @property
    def open_turn(self) -> int | None:
        """The number of the open turn, or nothing."""
        return self.turn if self.turn_open else None

    @property
    def compacting(self) -> Bracket | None:
        """The open compaction, if the turn in which it started is the open one still."""
        bracket = self.bracket
        return bracket if bracket is not None and bracket.turn == self.open_turn else None

    @property
    def unstarted(self) -> tuple[Call, ...]:
        """The advertised calls that no `tool/call` has started."""
        return tuple(call for call in self.calls if call.started is None)

    @property
    def running(self) -> tuple[Call, ...]:
        """The calls that have started and have no result."""
        return tuple(call for call in self.calls if call.started is not None)


def tie(bracket: Bracket, **members: Any) -> Raw:
    """Return the members that tie an event to its compaction, and more."""
    command = {} if bracket.command is None else {"sourceCommandId": bracket.command}
    return {"compactionId": bracket.id, **command, **members}


def new_state(time: int = 0) -> State:
    """Return the state of an empty log whose first event happens at *time* (ms since the epoch)."""
    return State(time=time)


def message_of(event: Raw) -> Raw:
    """Return the message of a surface event."""
    data: Raw = event["data"]
    message: Raw = data if event["type"] == "user/message" else data["message"]
    return message
