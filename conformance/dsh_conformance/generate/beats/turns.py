"""Beats that open and close turns, steps and lives.

Source: facts events §4.1 and §7.1; rules REL-TURN, REL-STEP, REL-TOOL-CLOSED, REL-COMPACT-ORPHAN.
"""

from dsh_conformance.generate.beats.beat import Beat
from dsh_conformance.generate.closing import answer_calls, close_turn
from dsh_conformance.generate.payloads import obj
from dsh_conformance.generate.state import Raw, State
from dsh_conformance.generate.strings import NAMES, TEXTS
from dsh_conformance.generate.tape import Tape
from dsh_conformance.generate.writer import Writer


def _may_start_turn(state: State) -> bool:
    return not state.turn_open and state.bracket is None


def _start_turn(writer: Writer, tape: Tape) -> None:
    writer.emit("turn/start", writer.embellished(tape, {"turn": writer.state.turn + 1}))


def _may_start_step(state: State) -> bool:
    return state.turn_open and not state.step_open


def _start_step(writer: Writer, tape: Tape) -> None:
    state = writer.state
    writer.emit(
        "step/start", writer.embellished(tape, {"turn": state.turn, "step": state.step + 1})
    )


def _may_end_step(state: State) -> bool:
    return state.step_open and not state.calls


def _end_step(writer: Writer, tape: Tape) -> None:
    writer.emit("step/end", writer.embellished(tape, writer.here()))


def _may_fail_step(state: State) -> bool:
    return bool(state.calls)


def _fail_step(writer: Writer, _tape: Tape) -> None:
    """A step whose body fails answers its calls itself, then ends."""
    answer_calls(writer, "interrupted")
    writer.emit("step/end", writer.here())


def _may_end_turn(state: State) -> bool:
    return state.turn_open and not state.step_open and state.bracket is None


def _end_turn(writer: Writer, tape: Tape) -> None:
    data = {"turn": writer.state.turn, "reason": _reason(tape)}
    writer.emit("turn/end", writer.embellished(tape, data))


def _reason(tape: Tape) -> Raw:
    kind = tape.one_of(("completed", "max-tokens", "blocked", "aborted", "hook", "error", "other"))
    match kind:
        case "aborted":
            return {"kind": kind, "reason": {"kind": tape.one_of(("user", "parent", "disposed"))}}
        case "hook":
            return {"kind": "aborted", "reason": {"kind": "hook", "reason": tape.one_of(TEXTS)}}
        case "error":
            return {"kind": kind, "error": failure(tape)}
        case "other":
            return {**obj(tape), "kind": "acme/rejected"}
        case _:
            return {"kind": kind}


def failure(tape: Tape) -> Raw:
    """Return an LlmFailure (facts: events §5.6)."""
    members: Raw = {"message": tape.one_of(NAMES), "code": tape.one_of(("UNKNOWN", "RATE_LIMIT"))}
    if tape.rarely(3):
        members |= {"status": 429, "providerRetryAfterMs": 0.5, "requestId": tape.one_of(NAMES)}
    return members


def _may_reopen(state: State) -> bool:
    return state.seq > 0


def _reopen(writer: Writer, _tape: Tape) -> None:
    """The process died and the session was resumed: closers, then the mark of a new life.

    An open compaction keeps its turn open here, because a turn may not end inside one until the
    mark stands in the log, and every prefix of a generated log has to be valid.
    """
    if writer.state.bracket is None:
        close_turn(writer, "interrupted")
    writer.emit("session/end-seed", {})


BEATS = (
    Beat("start turn", 12, _may_start_turn, _start_turn),
    Beat("start step", 12, _may_start_step, _start_step),
    Beat("end step", 5, _may_end_step, _end_step),
    Beat("fail step", 2, _may_fail_step, _fail_step),
    Beat("end turn", 5, _may_end_turn, _end_turn),
    Beat("reopen", 1, _may_reopen, _reopen),
)
