"""Breaches of the envelope and of the vocabulary."""

from typing import Any

from dsh_conformance.generate.breaches.breach import UNSUPPORTED, Breach, event
from dsh_conformance.generate.state import Raw, State

#: A type that no build knows.
UNKNOWN = "acme/unheard-of"


def _title(state: State, **envelope: Any) -> Raw:
    """An event that may stand anywhere, with an odd envelope."""
    return {**event(state, "plan/mode", {"active": True}), **envelope}


def _extra_key(state: State) -> Raw | None:
    return _title(state, id="a")


def _not_ignorable(state: State) -> Raw | None:
    return _title(state, ignorable=False)


def _one_ignorable(state: State) -> Raw | None:
    return _title(state, ignorable=1)


def _null_ignorable(state: State) -> Raw | None:
    return _title(state, ignorable=None)


def _seq_skips(state: State) -> Raw | None:
    return _title(state, seq=state.seq + 1)


def _seq_repeats(state: State) -> Raw | None:
    return _title(state, seq=state.seq - 1) if state.seq else None


def _minus_zero(state: State) -> Raw | None:
    return _title(state, time=-0.0)


def _null_data(state: State) -> Raw | None:
    return event(state, "session/end-seed", None)


def _no_data(state: State) -> Raw | None:
    event_ = _title(state)
    del event_["data"]
    return event_


def _no_time(state: State) -> Raw | None:
    event_ = _title(state)
    del event_["time"]
    return event_


def _fractional_time(state: State) -> Raw | None:
    return _title(state, time=0.5)


def _huge_time(state: State) -> Raw | None:
    return _title(state, time=2.0**53)


def _type_number(state: State) -> Raw | None:
    return _title(state, type=1)


def _unknown(state: State) -> Raw | None:
    return event(state, UNKNOWN, {})


def _packed_row(state: State) -> Raw | None:
    """The packed rows of formats v0 and v1 are no types (CHUNKROW-*)."""
    return event(state, "text-chunks", {})


def _old_chunk(state: State) -> Raw | None:
    chunk = {"type": "text-delta", "index": 0, "text": "a"}
    return event(state, "assistant/chunk", {"turn": state.turn, "step": state.step, "chunk": chunk})


def _retired(state: State) -> Raw | None:
    data = {"rootCallId": "c1", "parentCallId": "c1", "subCallId": "c1:code:0"}
    started = {**data, "name": "read", "arguments": {}}
    return event(state, "tool/code-dispatch-start", started) if state.turn_open else None


def _unmarked_cut(state: State) -> Raw | None:
    """An unseeded log holds no inherited marker."""
    return event(state, "session/end-seed", {"inherited": True}) if state.cut is None else None


BREACHES = (
    Breach("ENV-KEYS", "envelope with another key", _extra_key, noticed="tail"),
    Breach("ENV-IGNORABLE-TRUE", "ignorable false", _not_ignorable, noticed="tail"),
    Breach("ENV-IGNORABLE-TRUE", "ignorable 1", _one_ignorable, noticed="tail"),
    Breach("ENV-IGNORABLE-TRUE", "ignorable null", _null_ignorable, noticed="tail"),
    Breach("ENV-SEQ-CONTIGUOUS", "seq skips", _seq_skips, noticed="append"),
    Breach("ENV-SEQ-CONTIGUOUS", "seq repeats", _seq_repeats, noticed="append"),
    Breach("ENV-DATA-PRESENT", "event without data", _no_data, noticed="tail"),
    Breach("ENV-DATA-PRESENT", "null data of a known type", _null_data, noticed="tail"),
    Breach("ENV-TIME-INT", "time is minus zero", _minus_zero, noticed="append"),
    Breach("ENV-KEYS", "event without time", _no_time, noticed="tail"),
    Breach("ENV-TIME-INT", "fractional time", _fractional_time, noticed="tail"),
    Breach("ENV-TIME-INT", "time beyond 2^53 - 1", _huge_time, noticed="tail"),
    Breach("ENV-TYPE-STR", "type is a number", _type_number, noticed="tail"),
    Breach("INV-VOCAB", "unknown required type", _unknown, kind=UNSUPPORTED),
    Breach("INV-VOCAB", "type of packed rows", _packed_row, kind=UNSUPPORTED),
    Breach("INV-VOCAB", "type of an older format", _old_chunk, kind=UNSUPPORTED),
    Breach("IGN-RETIRED-PTC", "retired type", _retired, kind=UNSUPPORTED, noticed="append"),
    Breach("CUT-V2PLUS", "inherited marker in an unseeded log", _unmarked_cut),
)
