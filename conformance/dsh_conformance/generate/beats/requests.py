"""Beats that record what was asked of a model: request headers, contexts and retries.

Source: facts events §4.3 and §4.7; rules REL-IN-TURN, HDRREQ-CANONICAL, REL-RETRY-*.
"""

from dsh_conformance.generate.beats.beat import Beat
from dsh_conformance.generate.beats.turns import failure
from dsh_conformance.generate.payloads import obj
from dsh_conformance.generate.state import Chain, Raw, State
from dsh_conformance.generate.strings import NAMES, TEXTS
from dsh_conformance.generate.tape import Tape
from dsh_conformance.generate.writer import Writer

_PROVIDERS = ("p", "q")


def _in_turn(state: State) -> bool:
    return state.turn_open


def _head(writer: Writer, tape: Tape) -> None:
    header = _epoch(tape)
    reasons = ("initial",) if writer.state.header is None else ("change", "resume", "series")
    data: Raw = {"header": header, "reason": tape.one_of(reasons)}
    if tape.rarely(4):
        data["startsSeries"] = True
    writer.emit("request/header", writer.embellished(tape, data))


def _epoch(tape: Tape) -> Raw:
    config: Raw = {"provider": tape.one_of(_PROVIDERS), "model": "m"}
    header: Raw = {"config": config}
    names = (*TOOLS_DECLARED, tape.one_of(NAMES))[: tape.pick(4)]
    if names:
        header["tools"] = [_tool(name, tape) for name in dict.fromkeys(names)]
    match tape.pick(4):
        case 1:
            config |= {"reasoningEffort": "high", "maxTokens": 1}
            header["adapterDefaults"] = {"maxTokens": True}
        case 2:
            config |= {"temperature": 0.1, "stop": [tape.one_of(TEXTS)]}
    return header


#: Names of declared tools.
TOOLS_DECLARED = ("read", "bash")


def _tool(name: str, tape: Tape) -> Raw:
    parameters = {"type": "object", "properties": obj(tape)} if tape.rarely(2) else {}
    tool = {"name": name, "description": tape.one_of(TEXTS), "parameters": parameters}
    return {**tool, "deferLoading": True} if tape.rarely(4) else tool


def _frame(writer: Writer, tape: Tape) -> None:
    data: Raw = {"provider": tape.one_of(_PROVIDERS), "model": tape.one_of(NAMES)}
    if tape.pick(2):
        data["contextWindow"] = tape.one_of((1, 200_000, 2**53 - 1))
    writer.emit("request/context", writer.embellished(tape, data))


def _may_retry(state: State) -> bool:
    return state.turn_open and state.header is not None


def _retry(writer: Writer, tape: Tape) -> None:
    """A request failed and will be tried again: the next of its chain, or a new chain."""
    state = writer.state
    assert state.header is not None
    provider = state.header["data"]["header"]["config"]["provider"]
    key = (state.step, provider, tape.one_of(("transient", "quota")))
    fresh = Chain(key=key, id=f"r{state.seq}", retry=0)
    chain = next((each for each in state.chains if each.key == key), fresh)
    data: Raw = writer.here(retryId=chain.id, provider=provider, policyKey=key[2])
    data |= {"retry": chain.retry + 1, "delayMs": tape.one_of((0, 0.5, 2**31 - 1))}
    data |= {"mode": "always"} if tape.pick(2) else {"mode": "normal", "maxRetries": 99}
    writer.emit("llm/retry", {**data, "failure": failure(tape)})


def _may_start_retry(state: State) -> bool:
    return bool(state.chains) and not state.chains[-1].started


def _start_retry(writer: Writer, _tape: Tape) -> None:
    chain = writer.state.chains[-1]
    data = {"retryId": chain.id, "turn": writer.state.turn, "step": chain.key[0]}
    writer.emit("llm/retry-started", {**data, "retry": chain.retry})


BEATS = (
    Beat("request header", 3, _in_turn, _head),
    Beat("request context", 1, _in_turn, _frame),
    Beat("retry", 2, _may_retry, _retry),
    Beat("retry starts", 6, _may_start_retry, _start_retry),
)
