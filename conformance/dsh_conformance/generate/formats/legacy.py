"""The words of format v0's early days, which the edge to v1 brings up to date.

Each event is first aged as format v4 would show it: it gets the id that the edge will give it.
Then, spelled in format v0, it is antiquated: it loses what the edge gives it.

Source: facts migration §1.3 (MIG01-*); events §7.2 to §7.5.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from attrs import frozen

from dsh_conformance.generate.formats.state import PastState
from dsh_conformance.generate.state import Raw
from dsh_conformance.generate.tape import Tape

#: Makes the old words out of the modern ones of format v0.
Antiquate: TypeAlias = Callable[[Raw], Raw]

#: About one in so many events is told in old words.
_RARITY = 3


@frozen
class _Old:
    """An event in old words."""

    #: The event as format v4 would show it after the migration.
    event: Raw
    #: Makes the old words.
    antiquate: Antiquate


_Age: TypeAlias = Callable[[Raw, PastState, Tape], _Old | None]


def aged(event: Raw, state: PastState, whims: Tape) -> tuple[Raw, Antiquate]:
    """Return *event* as the migration will show it, and what makes its old words."""
    age = _AGES.get(event["type"]) if state.format == 0 else None
    old = age(event, state, whims) if age is not None and whims.rarely(_RARITY) else None
    return (event, dict) if old is None else (old.event, old.antiquate)


def minted(kind: str, state: PastState) -> str:
    """Return the id that the edge gives to what has none (MIG01-USER-ID and its like)."""
    return f"legacy-{kind}:{state.session}:{state.seq}"


def _with(event: Raw, **members: object) -> Raw:
    return {**event, "data": {**event["data"], **members}}


def _without(event: Raw, *members: str) -> Raw:
    return {**event, "data": {key: event["data"][key] for key in event["data"].keys() - members}}


def _triggered(event: Raw, _state: PastState, whims: Tape) -> _Old:
    """Turns said what had triggered them (MIG01-TRIGGER)."""
    trigger = whims.one_of(
        (
            {"kind": "message", "source": {"kind": "user"}},
            {"kind": "retry"},
            {"kind": "acme", "x": None},
        )
    )
    return _Old(event, lambda modern: _with(modern, trigger=trigger))


def _ended(event: Raw, _state: PastState, whims: Tape) -> _Old | None:
    """Turns ended for reasons that said less, or said it elsewhere (MIG01-TURN-END)."""
    reason = event["data"]["reason"]
    match reason:
        case {"kind": "aborted", "reason": {"kind": "disposed"}} if whims.pick(2):
            old: Raw = {"kind": "disposed"}
        case {"kind": "aborted"}:
            old = {"kind": "aborted"}
        case {"kind": "error", "error": error} if whims.pick(2):
            old = {"kind": "error", "step": 0, "failure": error}
        case {"kind": "error", "error": {"message": message, "code": code}}:
            coded = {} if code == "UNKNOWN" else {"code": code}
            old = {"kind": "error", "step": 1, "message": message, **coded}
        case _:
            return None
    return _Old(event, lambda modern: _with(modern, reason=old))


def _prefixed(event: Raw, _state: PastState, whims: Tape) -> _Old:
    """Headers held the first messages of each request (MIG01-MSGPREFIX)."""
    prefix: list[Raw] = [{"role": "system"}] * whims.pick(2)
    header = {**event["data"]["header"], "messagePrefix": prefix}
    return _Old(event, lambda modern: _with(modern, header=header))


def _said(event: Raw, state: PastState, whims: Tape) -> _Old:
    """User messages had no identity, or steered a turn (MIG01-USER-ID, MIG01-STEERING)."""
    style = whims.pick(3)
    if style == 2:
        return _Old(event, lambda modern: _steering(modern, message=_unbound(modern["data"])))

    def antiquate(modern: Raw) -> Raw:
        message = _unbound(modern["data"])
        told = {"content": message["content"], "source": message["source"]}
        return _steering(modern, **told) if style else {**modern, "data": told}

    return _Old(_with(event, id=minted("message", state)), antiquate)


def _steering(modern: Raw, **data: object) -> Raw:
    return {**modern, "type": "steering/message", "data": {"turn": 0, **data}}


def _unbound(message: Raw) -> Raw:
    """Take away the id of the compaction: the edge gives back the open one's."""
    bare = {key: value for key, value in message["source"].items() if key != "compactionId"}
    return {**message, "source": bare}


def _spoken(event: Raw, state: PastState, _whims: Tape) -> _Old:
    """Assistant messages were not wrapped and had no identity (MIG01-ASSISTANT-WRAP)."""
    message = {**event["data"]["message"], "id": minted("message", state)}

    def antiquate(modern: Raw) -> Raw:
        source = message["source"]
        provenance = {key: source[key] for key in source if key != "kind"}
        bare = _without(modern, "message")
        return _with(bare, content=message["content"], provenance=provenance)

    return _Old(_with(event, message=message), antiquate)


def _answered(event: Raw, state: PastState, _whims: Tape) -> _Old | None:
    """Tool results were not wrapped and had no identity (MIG01-TOOL-WRAP)."""
    message = event["data"]["message"]
    repair = event["data"].get("error", {}).get("code") == "TOOL_NOT_STARTED"
    if repair or "isError" not in message:
        return None
    if event["surfaceOp"] == "append":
        message = {**message, "id": minted("message", state)}
    told = {key: message[key] for key in ("content", "isError")}
    call = message["toolCallId"]
    return _Old(
        _with(event, message=message),
        lambda modern: _with(_without(modern, "message"), callId=call, **told),
    )


def _retried(event: Raw, state: PastState, _whims: Tape) -> _Old:
    """Retries had no id; later ones of a chain take over the first one's (MIG01-RETRY-ID)."""
    if event["data"]["retry"] == 1:
        event = _with(event, retryId=minted("retry", state))
    return _Old(event, lambda modern: _without(modern, "retryId"))


def _compacted(event: Raw, state: PastState, whims: Tape) -> _Old:
    """Compactions had no id and a shorter name (MIG01-COMPACTION-ID, MIG01-COMPACT-NAMES).

    The parts of a compaction whose start has an id may lack it all the same.
    """
    if event["type"] == "compaction/start":
        event = _with(event, compactionId=minted("compaction", state))
    short = not whims.pick(2)

    def antiquate(modern: Raw) -> Raw:
        old = _without(modern, "compactionId")
        return {**old, "type": old["type"].replace("compaction", "compact")} if short else old

    return _Old(event, antiquate)


_AGES: Mapping[str, _Age] = MappingProxyType(
    {
        "turn/start": _triggered,
        "turn/end": _ended,
        "request/header": _prefixed,
        "user/message": _said,
        "assistant/message": _spoken,
        "tool/result": _answered,
        "llm/retry": _retried,
        "compaction/start": _compacted,
        "compaction/summary": _compacted,
        "compaction/end": _compacted,
        "compaction/prune": _compacted,
    }
)
