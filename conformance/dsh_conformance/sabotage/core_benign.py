"""Cores that are only different: they must pass."""

import copy
from collections.abc import Callable, Mapping
from typing import Any

from dsh_conformance.implementation.backend import Refuse
from dsh_conformance.sabotage.core_wrap import Methods, Raw, answers, remembers, result
from dsh_spec.refusals import RefusalKind


@result("", "core/fold")
def says_more_of_a_surface(found: Raw, _params: Raw) -> None:
    """A surface comes with the number of its nodes."""
    found["nodeCount"] = len(found["nodes"])


@result("", "core/fork")
def states_the_depth(found: Raw, _params: Raw) -> None:
    """The header of a child says that its depth is 0."""
    found["header"]["delegationDepth"] = 0


@result("", "core/seed")
def marks_with_its_own_time(found: Raw, params: Raw) -> None:
    """A marker that construction adds has the time of its making."""
    for event in found["events"][len(params["events"]) :]:
        event["time"] = 1_900_000_000_000


@answers("", "core/fold")
def refuses_in_its_own_way(params: Raw, right: Callable[[Any], Any]) -> Any:
    """What has no surface is refused as an argument that is none."""
    try:
        return right(params)
    except Refuse as refusal:
        raise Refuse(RefusalKind.INVALID_ARGUMENT, str(refusal)) from None


@remembers("")
def turns_keys_around(right: Methods) -> Mapping[str, Any]:
    """The keys of every answer come in the opposite order."""

    def turned(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: turned(value[key]) for key in reversed(value)}
        return [turned(item) for item in value] if isinstance(value, list) else value

    def changed(name: str) -> Callable[[Any], Any]:
        return lambda params: turned(copy.deepcopy(right[name](params)))

    return {name: changed(name) for name in right if name.startswith("core/")}
