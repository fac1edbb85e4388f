"""A log in every format that it passes through on its way to v4."""

from collections.abc import Callable, Mapping, Sequence

from attrs import frozen

from dsh_conformance.implementation.hostile import encode_value
from dsh_reference.migrate import (
    ChildFact,
    migrate,
    read_children,
    v0_to_v1,
    v1_to_v2,
    v2_to_v3,
)
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_spec.values import JsonObject

#: The newest format.
NEWEST = 4

#: The edges before the last one, by the format that they begin at.  What a generator wrote is valid
#: in its own format, so no edge has to judge payloads here (MIG-SOURCE-KIND).
_EDGES: Mapping[int, Callable[[SessionLog], SessionLog | Refusal]] = {
    0: v0_to_v1,
    1: lambda log: v1_to_v2(log, decoded=False),
    2: v2_to_v3,
}


@frozen(kw_only=True)
class History:
    """One log, in its own format and in every later one."""

    #: The format in which it is stored.
    stored: int
    #: The log by format.
    logs: Mapping[int, SessionLog]
    #: What is known of the session's children.
    children: tuple[JsonObject, ...] = ()

    @property
    def source(self) -> SessionLog:
        """The log as it is stored."""
        return self.logs[self.stored]

    @property
    def result(self) -> SessionLog:
        """The log as v4 has it."""
        return self.logs[NEWEST]

    def reached(self, version: int) -> bool:
        """Say whether the log was once of that format."""
        return version in self.logs


def history_of(log: SessionLog, children: Sequence[JsonObject] = ()) -> History | Refusal:
    """Return a log's history by the model, or why it has none."""
    facts = read_children(list(children))
    if isinstance(facts, Refusal):
        return facts
    stored: int = log.format
    logs = {stored: log}
    for version in range(stored, NEWEST):
        moved = _step(log, version, facts)
        if isinstance(moved, Refusal):
            return moved
        logs[version + 1] = log = moved
    return History(stored=stored, logs=logs, children=tuple(children))


def _step(log: SessionLog, version: int, facts: Sequence[ChildFact]) -> SessionLog | Refusal:
    edge = _EDGES.get(version)
    return migrate(log, children=facts) if edge is None else edge(log)


def as_params(log: SessionLog, children: Sequence[JsonObject] | None = ()) -> JsonObject:
    """Return the parameters of the request that migrates a log.

    Without *children* the request says that nobody looked for the session's children.
    """
    asked: JsonObject = {
        "header": log.header,
        "events": encode_value(list(log.events)),
        "inheritedEventCount": log.inherited,
        "to": NEWEST,
    }
    return asked if children is None else {**asked, "children": list(children)}
