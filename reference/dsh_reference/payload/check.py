"""The released payload check of one event.

The vocabulary says what a payload must be on its own; what is added here takes the session to
judge, or is a matter of the edge that asks.
"""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from dsh_reference.admit.slots import is_list
from dsh_reference.payload.delivery import is_foreign
from dsh_reference.payload.goal import check_goal_state
from dsh_reference.payload.opaque import OPAQUE, check_opaque
from dsh_reference.refusal import Refusal
from dsh_reference.values import is_count
from dsh_spec.events import VOCABULARIES, ShapeError, structure_body
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import JsonObject, is_object

#: The formats with exact payloads.
Released: TypeAlias = Literal[0, 1, 2]

#: What the rules of the edge that leaves a format begin with.
_EDGES: Final[Mapping[Released, str]] = {0: "MIG01", 1: "MIG12", 2: "MIG23"}
#: The types of which formats v0 and v1 ask more.
_EARLY: Final = OPAQUE | {"user/message", "agent/inbox/spliced"}
_DELIVERY: Final = "session-log-deepseek/delivery-accepted"


def check_payload(
    event: JsonObject,
    *,
    format: Released,  # noqa: A002 - the word for it
    header: JsonObject,
    inherited: int,
) -> Refusal | None:
    """Judge the payload of one event of a log; ``None``, or the first rule that it breaks.

    *event* has a known type in its canonical spelling, *header* is the log's logical one, and
    *inherited* the number of its events that were inherited.  The envelope is not looked at but for
    the seq, and neither is the payload of an ``assistant/chunk``: the edge that assembles streams
    judges that one.

    The refusal's kind is ``unsupported-migration``.

    Source: MIG01-PAYLOAD, MIG12-PAYLOAD, MIG23-PAYLOAD, MIG01-OPEN-ARMS, MIG01-CHUNK-OPAQUE, and
    the rules of the functions it asks (facts: events §4, §5; each probed on 0.2.1rc2).
    """
    found = _problem(event, format, header, inherited)
    if found is None:
        return None
    rule, problem = found
    return Refusal(
        kind=RefusalKind.UNSUPPORTED_MIGRATION,
        rule=rule,
        where=f"event {event.get('seq')}",
        problem=f"{str(event.get('type'))[:80]}: {problem}",
    )


def _problem(
    event: JsonObject,
    format: Released,  # noqa: A002 - the word for it
    header: JsonObject,
    inherited: int,
) -> tuple[str, str] | None:
    type_, data = event.get("type"), event.get("data")
    if not isinstance(type_, str) or type_ not in VOCABULARIES[format].known:
        return f"{_EDGES[format]}-CLOSED", "no type of that format"
    if type_ == "assistant/chunk":
        return None
    # A seq is its event's place, which whoever read the log has compared; -0 is place 0 there.
    seq = int(at) if is_count(at := event.get("seq")) else 0
    try:
        structure_body(type_, data, seq=seq, format=format)
    except ShapeError as error:
        return _rule(error, event, format), f"{error.path} {error.problem}"
    assert is_object(data)
    problem = _early_problem(type_, data) if format < 2 and type_ in _EARLY else None
    if problem is not None:
        return f"{_EDGES[format]}-PAYLOAD", problem
    counts = type_ == _DELIVERY and data.get("sessionFormatVersion", 0) == format
    if counts and is_foreign(data["sessionId"], seq, header=header, inherited=inherited):
        return f"{_EDGES[format]}-DELIVERY", "a record of this format names another session"
    return None


def _early_problem(type_: str, data: JsonObject) -> str | None:
    """Say what is wrong by the rules of formats v0 and v1 alone."""
    match type_, data:
        case "user/message", _:
            return check_goal_state(data)
        case "agent/inbox/spliced", {"inserted": inserted}:
            assert is_list(inserted)
            return next(filter(None, map(check_goal_state, inserted)), None)
    return check_opaque(type_, data)


def _rule(error: ShapeError, event: JsonObject, format: Released) -> str:  # noqa: A002
    """The narrowest rule of the edge that a payload breaks."""
    edge = _EDGES[format]
    match event:
        case {"type": "subagent/descriptor", "data": {"version": version}} if (
            format == 0 and is_count(version) and version != 3
        ):
            return "MIG01-DESCRIPTOR"
        case _ if format == 0 and "capturedFormatVersion" in f"{error.path} {error.problem}":
            return "MIG01-REFGEN"
        case _ if error.rule == "DELIV-GEN":
            return f"{edge}-DELIVERY"
    return f"{edge}-PAYLOAD"
