"""The answers of an implementation about one log, each asked once."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, TypeAlias

from dsh_conformance.exhaust.ledger import FORMAT, Ledger, Move
from dsh_conformance.implementation.outcome import Ok, Outcome
from dsh_spec.values import JsonObject

#: Asks an implementation: a method and its parameters.
Ask: TypeAlias = Callable[[str, JsonObject], Outcome]

#: Stands for the answer to what an implementation does not claim, and so is not asked.
UNASKED: JsonObject = {}
#: The header of these logs.
HEADER: JsonObject = {"version": FORMAT, "id": "s", "createdAt": 5, "isSeeded": False, "cwd": "/w"}
#: The session that forks them.
CHILD: JsonObject = {"id": "child", "createdAt": 6}


class Look:
    """What an implementation makes of a log, and what it has to."""

    def __init__(self, ask: Ask, ledger: Ledger, parent: "Look | None" = None) -> None:
        self._ask = ask
        #: What the log has come to.
        self.ledger = ledger
        #: The log without its last event, where that was looked at too.
        self.parent = parent

    def answer(self, method: str, events: Sequence[JsonObject], **more: Any) -> Any:
        """Return the result of a method, or ``{"refusal": KIND}``."""
        found = self._ask(f"core/{method}", {"format": FORMAT, "events": [*events], **more})
        return found.value if isinstance(found, Ok) else {"refusal": str(found.kind)}

    def refused(self, move: Move) -> Any:
        """Append what is refused: the rule that is told, or else the kind; or the result."""
        found = self._ask("core/append", self._draft(move))
        return found.value if isinstance(found, Ok) else found.rule or move.refused

    def append(self, move: Move) -> Any:
        """Append what the move says."""
        found = self._ask("core/append", self._draft(move))
        return found.value if isinstance(found, Ok) else {"refusal": str(found.kind)}

    def _draft(self, move: Move) -> JsonObject:
        made = {key: value for key, value in move.event.items() if key != "seq"}
        return {"format": FORMAT, "header": HEADER, "events": [*self.ledger.events], **made}

    def settle(self) -> None:
        """Ask what the log shows before anything is tried behind it."""
        _ = self.surface, self.messages

    @cached_property
    def surface(self) -> Any:
        """The fold of the log."""
        return self.answer("fold", self.ledger.events)

    @cached_property
    def messages(self) -> Any:
        """The messages of the log."""
        return self.answer("derive", self.ledger.events)

    @cached_property
    def closers(self) -> Any:
        """What closes the log."""
        return self.answer("closers", self.ledger.events, cause="interrupted")

    @cached_property
    def child(self) -> Any:
        """The log forked at its last event."""
        return self.answer("fork", self.ledger.events, header=HEADER, child=CHILD)
