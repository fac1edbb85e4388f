"""The edge v0 to v1: the same log, with the spellings that v0 outgrew brought up to date.

Releases that wrote v0 changed what they wrote without changing the number.  This edge makes that
good: a historical shape is known by the members that it lacks, and is normalised; then every
payload must be exactly what the last release of v0 wrote.  Nothing is dropped, merged or
renumbered.

Which event may stand where, and the envelope around it, are judged later in the chain.

The keys around `data` are not judged here (MIG01-ENVELOPE-LAX), nor is any rule between events
(MIG01-RELATIONS-LATE), but for deliveries (MIG01-DELIVERY).
"""

from collections.abc import Sequence
from typing import Final

from dsh_reference.migrate.prefix import check_prefix
from dsh_reference.migrate.refuse import unsupported
from dsh_reference.migrate.v0_to_v1.ids import Compactions, Retries
from dsh_reference.migrate.v0_to_v1.messages import Messages
from dsh_reference.migrate.v0_to_v1.names import refuse_retired, rename_compaction
from dsh_reference.migrate.v0_to_v1.normalisation import Normalisation
from dsh_reference.migrate.v0_to_v1.requests import drop_message_prefix
from dsh_reference.migrate.v0_to_v1.turns import drop_trigger, renew_reason
from dsh_reference.payload import check_payload
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_spec.events import event_types
from dsh_spec.values import JsonObject

_TYPES: Final = frozenset(event_types(0))
#: The types of the last release whose events were always as they are now.
_CONSTANT: Final = frozenset(
    {
        "approval/asked",
        "approval/decided",
        "assistant/chunk",
        "hook/invoked",
        "hook/result",
        "step/end",
        "step/start",
        "tool/call",
    }
)


def v0_to_v1(log: SessionLog) -> SessionLog | Refusal:
    """Return a v0 log as v1 has it.

    The refusal's kind is ``unsupported-migration``, and ``corrupt`` for a cut beyond the log.

    Source: MIG01-IDENTITY, MIG01-CLOSED, MIG01-PAYLOAD, MIG01-HDR-STEP, MIG01-CUT,
    MIG01-CHUNK-OPAQUE, and the rules of the modules (facts: migration §1).
    """
    refusal = check_prefix(log)
    if refusal is not None:
        return refusal
    messages = Messages(session=log.header["id"])
    steps = _normalisations(messages)
    events: list[JsonObject] = []
    for seq, event in enumerate(log.events):
        renewed = _renew(event, seq, steps)
        if isinstance(renewed, Refusal):
            return renewed
        refusal = _check(renewed, seq, log)
        if refusal is not None:
            return refusal
        messages.see(renewed, seq)
        events.append(renewed)
    header = {**log.header, "version": 1}
    return SessionLog(header=header, inherited=log.inherited, events=tuple(events))


def _normalisations(messages: Messages) -> Sequence[Normalisation]:
    """Return the normalisations in their order: a later one sees what an earlier one made."""
    return (
        rename_compaction,
        refuse_retired,
        drop_trigger,
        renew_reason,
        drop_message_prefix,
        messages.renew_steering,
        Retries(session=messages.session).identify,
        Compactions(session=messages.session).identify,
        messages.identify_user,
        messages.wrap_assistant,
        messages.wrap_result,
    )


def _renew(event: JsonObject, seq: int, steps: Sequence[Normalisation]) -> JsonObject | Refusal:
    type_ = event.get("type")
    if not isinstance(type_, str):
        return _unknown(seq)
    if type_ in _CONSTANT:
        return event
    for step in steps:
        renewed = step(event, seq)
        if isinstance(renewed, Refusal):
            return renewed
        event = renewed
    return event


def _check(event: JsonObject, seq: int, log: SessionLog) -> Refusal | None:
    if event["type"] not in _TYPES:
        return _unknown(seq)
    if event["type"] == "assistant/chunk":
        return None
    return check_payload(event, format=0, header=log.header, inherited=log.inherited)


def _unknown(seq: int) -> Refusal:
    problem = "its type is none of v0, and what a stranger refers to cannot be carried along"
    return unsupported(seq, "MIG01-CLOSED", problem)
