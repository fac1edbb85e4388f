"""Sabotages of values and of admission."""

from collections.abc import Callable
from typing import Any
from unicodedata import normalize

from dsh_conformance.implementation.backend import Refuse
from dsh_conformance.sabotage.core_wrap import Raw, answers, of, refuses, result
from dsh_spec.refusals import RefusalKind

_ADMIT, _JSON = "core/admit", "core/json"

# ------------------------------------------------------------------ values


def _each(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, dict):
        return {change(key): _each(item, change) for key, item in value.items()}
    if isinstance(value, list):
        return [_each(item, change) for item in value]
    return change(value)


@result("JSON-ACCEPT", _JSON)
def drops_nulls(found: Raw, _params: Raw) -> None:
    """A member that is null is dropped."""
    if isinstance(found["value"], dict):
        found["value"] = {k: v for k, v in found["value"].items() if v is not None}


@answers("JSON-ACCEPT", _JSON)
def fears_the_deep(params: Raw, right: Callable[[Any], Any]) -> Any:
    """A value of more than twenty levels is refused."""
    value, depth = params["value"], 0
    while isinstance(value, dict | list) and value:
        value = next(iter(value.values())) if isinstance(value, dict) else value[0]
        depth += 1
    if depth > 20:
        raise Refuse(RefusalKind.NOT_JSON, "it is too deep")
    return right(params)


@result("JSON-NUM", _JSON)
def stores_true_as_one(found: Raw, _params: Raw) -> None:
    """Booleans become numbers."""
    found["value"] = _each(found["value"], lambda v: int(v) if isinstance(v, bool) else v)


@result("JSON-NUM", _JSON)
def rounds_numbers(found: Raw, _params: Raw) -> None:
    """Numbers have twelve digits behind the point."""
    found["value"] = _each(
        found["value"], lambda v: round(v, 12) if isinstance(v, float) and abs(v) < 1e9 else v
    )


@result("JSON-UTF16", _JSON)
def composes_texts(found: Raw, _params: Raw) -> None:
    """Strings are normalised."""
    found["value"] = _each(
        found["value"], lambda v: normalize("NFC", v) if isinstance(v, str) else v
    )


@result("JSON-UTF16", _JSON, like="F23")
def replaces_lone_surrogates(found: Raw, _params: Raw) -> None:
    """A lone surrogate becomes a question mark."""
    found["value"] = _each(
        found["value"],
        lambda v: v.encode("utf-8", "replace").decode() if isinstance(v, str) else v,
    )


# ------------------------------------------------------------------ admission


@refuses("INV-OPEN-TAIL-OK", _ADMIT)
def wants_turns_ended(params: Raw) -> bool:
    """A log that ends inside a turn is refused."""
    turns = of(params["events"], "turn/start", "turn/end")
    return bool(turns) and turns[-1]["type"] == "turn/start"


@refuses("RD-V3V4-PAYLOAD-OPEN", _ADMIT)
def knows_all_members(params: Raw) -> bool:
    """A payload with a key that nobody knows is refused."""
    return any("acme" in event["data"] for event in of(params["events"], "turn/start", "tool/call"))


@refuses("IGN-UNKNOWN-V4", _ADMIT)
def admits_no_strangers(params: Raw) -> bool:
    """An event of an unknown type is refused though it is ignorable."""
    return bool(of(params["events"], "acme/note"))


@refuses("IGN-PLUGIN-RECORD", _ADMIT)
def admits_no_plugins(params: Raw) -> bool:
    """A record of a plugin is refused."""
    return any(str(event.get("type")).startswith("plugin:") for event in params["events"])


@answers("IGN-PLUGIN-RECORD", _ADMIT)
def marks_plugins_itself(params: Raw, right: Callable[[Any], Any]) -> Any:
    """A record of a plugin is ignorable without being marked."""
    events = [
        {**event, "ignorable": True} if str(event.get("type")).startswith("plugin:") else event
        for event in params["events"]
    ]
    return right({**params, "events": events})


@answers("IGN-MEANING", _ADMIT)
def judges_nothing_ignorable(params: Raw, right: Callable[[Any], Any]) -> Any:
    """A known event that is marked ignorable is not judged."""
    *rest, last = params["events"] or [{}]
    if last.get("ignorable") is True and last.get("type") == "turn/end":
        return right({**params, "events": rest})
    return right(params)


@refuses("REL-COMPACT-ORPHAN", _ADMIT)
def waits_for_orphans(params: Raw) -> bool:
    """A compaction that nobody ended keeps others from starting, behind a marker too."""
    return len(of(params["events"], "compaction/start")) > 1


@refuses("DELIV-GEN", _ADMIT)
def interprets_every_delivery(params: Raw) -> bool:
    """A delivery of any generation has to name this session."""
    deliveries = of(params["events"], "session-log-deepseek/delivery-accepted")
    return any(event["data"].get("sessionId") == "another" for event in deliveries)


@answers("ENV-SEQ-NEGZERO", _ADMIT)
def takes_any_zero(params: Raw, right: Callable[[Any], Any]) -> Any:
    """A first seq that equals 0 will do."""
    events = list(params["events"])
    if events and isinstance(events[0], dict) and events[0].get("seq") == 0:
        events[0] = {**events[0], "seq": 0}
    return right({**params, "events": events})


@answers("INV-VOCAB", _ADMIT, like="F14")
def calls_the_unknown_corrupt(params: Raw, right: Callable[[Any], Any]) -> Any:
    """What nobody knows is refused as damage."""
    try:
        return right(params)
    except Refuse as refusal:
        raise Refuse(RefusalKind.CORRUPT, str(refusal)) from None
