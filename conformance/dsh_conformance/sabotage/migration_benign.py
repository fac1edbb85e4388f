"""Migrations that are only different: they must pass."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from attrs import frozen

from dsh_conformance.implementation.port import Port, PureMethod
from dsh_conformance.sabotage.migration_wrap import METHOD
from dsh_conformance.sabotage.port_wrap import answering
from dsh_spec.values import Json, JsonObject


@frozen(kw_only=True)
class Harmless:
    """One way to be different."""

    #: Its name, in words joined by hyphens.
    name: str
    #: What is different, in one sentence.
    says: str
    #: Changes the answer.
    change: Callable[[JsonObject], Json]

    def make(self, right: Port, _workspace: Path) -> Port:
        """Return the implementation that is different."""

        def other(params: JsonObject, rightly: PureMethod) -> Json:
            found = rightly(params)
            assert isinstance(found, Mapping)
            return self.change(found)

        return answering(right, METHOD, other)


def _harmless(function: Callable[[JsonObject], Json]) -> Harmless:
    name = "-".join(re.findall(r"[a-z]+", function.__name__))
    return Harmless(name=name, says=" ".join(str(function.__doc__).split()), change=function)


def turns_the_keys_of_logs_round(found: JsonObject) -> Json:
    """The keys of every object come in the opposite order."""
    return _turned(found)


def _turned(value: Json) -> Json:
    match value:
        case Mapping():
            return {key: _turned(value[key]) for key in reversed([*value])}
        case list() | tuple():
            return [_turned(item) for item in value]
    return value


def leaves_out_no_depth(found: JsonObject) -> Json:
    """A header of depth 0 does not say so."""
    header = found["header"]
    assert isinstance(header, Mapping)
    kept = {key: header[key] for key in header if key != "delegationDepth" or header[key]}
    return {**found, "header": kept}


def tells_more(found: JsonObject) -> Json:
    """Beside the log the answer says how many events it has."""
    events = found["events"]
    assert isinstance(events, list)
    return {**found, "count": len(events)}


#: All of them.
HARMLESS: tuple[Harmless, ...] = (
    _harmless(turns_the_keys_of_logs_round),
    _harmless(leaves_out_no_depth),
    _harmless(tells_more),
)
