"""The reference with a migration that is wrong in one way.

There are four ways to be wrong: to change what comes out, to refuse what is whole, to take what is
broken, and to answer as one likes.
Each way has a decorator, which makes of a function with a docstring the sabotage that it stands
for: `result`, `refuses`, `takes` and `answers`.
"""

import copy
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from attrs import define, frozen

from dsh_conformance.implementation.backend import Refuse
from dsh_conformance.implementation.port import Port, PureMethod
from dsh_conformance.sabotage.port_wrap import Answer, answering
from dsh_conformance.tracks.migration.history import NEWEST, history_of
from dsh_reference.migrate import migrate
from dsh_reference.migrate.references import NEW_ENDPOINTS, Dangling, moves, remap
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject

#: A part of a log that may be changed.
Raw: TypeAlias = dict[str, Any]
#: The log in each format that it passes through when all is right.
Way: TypeAlias = Mapping[int, SessionLog]

METHOD = "migration/migrate"


@define(kw_only=True)
class Log:
    """A log that may be changed."""

    #: The header.
    header: Raw
    #: The cut.
    inherited: int
    #: The events.
    events: list[Raw]

    def of(self, *types: str) -> list[Raw]:
        """Return the events of these types; one that ends with ``*`` stands for all such."""
        return [
            event
            for event in self.events
            if any(
                event["type"].startswith(name[:-1]) if name[-1] == "*" else event["type"] == name
                for name in types
            )
        ]

    def settle(self) -> None:
        """Number the events by their places, and carry references and the cut along.

        An event that was put in has the seq -1.
        """
        places = {event["seq"]: at for at, event in enumerate(self.events) if event["seq"] >= 0}
        for at, event in enumerate(self.events):
            moved = remap(event, moves(places), read=NEW_ENDPOINTS, write=NEW_ENDPOINTS)
            kept = event if isinstance(moved, Dangling) else moved
            self.events[at] = {**kept, "seq": at}
        self.inherited = places.get(self.inherited, self.inherited)


@frozen(kw_only=True)
class Wrong:
    """One way to be wrong."""

    #: The rule that it breaks.
    rule: str
    #: Its name, in words joined by hyphens.
    name: str
    #: What is wrong, in one sentence.
    says: str
    #: The public field reports that it is a copy of; empty where there is none.
    like: str
    #: Answers wrongly; made anew for each instance, so that it may remember.
    begin: Callable[[], Answer]
    #: Which method.
    method: str = METHOD

    def make(self, right: Port, _workspace: Path) -> Port:
        """Return the wrong implementation."""
        return answering(right, self.method, self.begin())


# ------------------------------------------------------------------ ways to be wrong

_Named: TypeAlias = Callable[..., Any]
_Made: TypeAlias = Callable[[_Named], Wrong]


def answers(rule: str, *, like: str = "") -> _Made:
    """Migrate as the function does, which is given the request and the right method."""
    return lambda function: _wrong(rule, function, lambda: function, like)


def begins(rule: str, *, like: str = "") -> _Made:
    """Migrate as what the function returns does, anew for each instance."""
    return lambda function: _wrong(rule, function, function, like)


def result(rule: str, *, like: str = "") -> _Made:
    """Change what comes out: the function is given the log of v4, and the way that it came."""

    def made(function: _Named) -> Wrong:
        def answer(params: JsonObject, right: PureMethod) -> Json:
            right(params)
            way = way_of(params)
            log = thawed(way[NEWEST])
            if min(way) < NEWEST:
                function(log, way)
            return given(log)

        return _wrong(rule, function, lambda: answer, like)

    return made


def refuses(rule: str, *, like: str = "") -> _Made:
    """Refuse what the function says yes to: it is given the log as it is stored."""

    def made(function: _Named) -> Wrong:
        def answer(params: JsonObject, right: PureMethod) -> Json:
            found = right(params)
            log = log_of(params)
            if log.header["version"] != NEWEST and function(log):
                raise Refuse(RefusalKind.UNSUPPORTED_MIGRATION, "it will not do")
            return found

        return _wrong(rule, function, lambda: answer, like)

    return made


def takes(
    rule: str, name: str, says: str, test: Callable[[Refusal, Raw], bool], *, like: str = ""
) -> Wrong:
    """Carry over, as it is, the last event of a log that is refused for a reason like this."""

    def answer(params: JsonObject, right: PureMethod) -> Json:
        log = log_of(params)
        refusal = refusal_of(params)
        if refusal is None or not log.events or not test(refusal, dict(log.events[-1])):
            return right(params)
        shorter = {**params, "events": list(log.events[:-1])}
        if refusal_of(shorter) is not None:
            return right(params)
        kept = thawed(way_of(shorter)[NEWEST])
        kept.events.append({**log.events[-1], "seq": len(kept.events)})
        return given(kept)

    return Wrong(rule=rule, name=name, says=says, like=like, begin=lambda: answer)


def mends(rule: str, *, like: str = "") -> _Made:
    """Change what is refused until it is taken: the function is given the stored log.

    It returns whether there is anything to change.
    """

    def made(function: _Named) -> Wrong:
        def answer(params: JsonObject, right: PureMethod) -> Json:
            refusal = refusal_of(params)
            if refusal is None:
                return right(params)
            log = thawed(log_of(params)) if isinstance(params["header"], dict) else None
            if log is None or not function(log, refusal):
                return right(params)
            return right({**params, **given(log)})

        return _wrong(rule, function, lambda: answer, like)

    return made


def _wrong(rule: str, function: _Named, begin: Callable[[], Answer], like: str) -> Wrong:
    name = "-".join(re.findall(r"[a-z]+", function.__name__))
    says = " ".join(str(function.__doc__).split())
    return Wrong(rule=rule, name=name, says=says, like=like, begin=begin)


# ------------------------------------------------------------------ requests and logs


def log_of(params: JsonObject) -> SessionLog:
    """Return the log that a request is about."""
    asked: Any = params
    return SessionLog(
        header=asked["header"],
        inherited=asked["inheritedEventCount"],
        events=tuple(asked["events"]),
    )


def way_of(params: JsonObject) -> Way:
    """Return the way of a log that is migrated."""
    found = history_of(log_of(params), children_of(params))
    assert not isinstance(found, Refusal), found
    return found.logs


def children_of(params: JsonObject) -> Sequence[JsonObject]:
    """Return what a request says of children."""
    found: Any = params.get("children", ())
    return tuple(found)


def refusal_of(params: JsonObject) -> Refusal | None:
    """Return why a log is refused, children aside."""
    found = migrate(log_of(params), children=())
    return found if isinstance(found, Refusal) else None


def thawed(log: SessionLog) -> Log:
    """Return a copy of a log that may be changed."""
    events: Any = copy.deepcopy(list(log.events))
    return Log(header=dict(log.header), inherited=log.inherited, events=events)


def given(log: Log) -> Raw:
    """Return a log as an answer gives it."""
    return {"header": log.header, "inheritedEventCount": log.inherited, "events": log.events}
