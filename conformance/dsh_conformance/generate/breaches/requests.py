"""Breaches of request headers and of retries."""

from typing import Any

from dsh_conformance.generate.breaches.breach import UNSUPPORTED, Breach, event, here
from dsh_conformance.generate.state import Chain, Raw, State


def _head(state: State, header: Raw | None = None, **members: Any) -> Raw | None:
    if not state.turn_open:
        return None
    config = {"provider": "p", "model": "m"}
    epoch = {"config": config, **(header or {})}
    data = {"header": epoch, "reason": "initial", **members}
    return event(state, "request/header", data)


def _system(state: State) -> Raw | None:
    return _head(state, {"system": "a"})


def _system_null(state: State) -> Raw | None:
    return _head(state, {"system": None})


def _no_tools(state: State) -> Raw | None:
    return _head(state, {"tools": []})


def _no_defaults(state: State) -> Raw | None:
    return _head(state, {"adapterDefaults": {}})


def _valueless_default(state: State) -> Raw | None:
    return _head(state, {"adapterDefaults": {"maxTokens": True}})


def _false_default(state: State) -> Raw | None:
    config = {"provider": "p", "model": "m", "maxTokens": 1}
    return _head(state, {"config": config, "adapterDefaults": {"maxTokens": False}})


def _nobody(state: State) -> Raw | None:
    return _head(state, {"config": {"provider": "", "model": "m"}})


def _loading(state: State) -> Raw | None:
    tool = {"name": "read", "description": "", "parameters": {}, "deferLoading": False}
    return _head(state, {"tools": [tool]})


def _fallback(state: State) -> Raw | None:
    return _head(state, reason="fallback")


def _odd_reason(state: State) -> Raw | None:
    return _head(state, reason="because")


def _no_series(state: State) -> Raw | None:
    return _head(state, startsSeries=False)


def _retry(state: State, chain: Chain, **members: Any) -> Raw:
    failure = {"message": "a", "code": "UNKNOWN"}
    step, provider, policy = chain.key
    data = here(state, retryId=chain.id, provider=provider, policyKey=policy, mode="always")
    data |= {"step": step, "retry": chain.retry + 1, "delayMs": 0, "failure": failure}
    return event(state, "llm/retry", {**data, **members})


def _latest(state: State) -> Chain | None:
    """Return the latest chain, if it can go on here and now."""
    if not state.turn_open or state.header is None or not state.chains:
        return None
    chain = state.chains[-1]
    provider = state.header["data"]["header"]["config"]["provider"]
    return chain if chain.key[:2] == (state.step, provider) else None


def _retry_skips(state: State) -> Raw | None:
    chain = _latest(state)
    return _retry(state, chain, retry=chain.retry + 2) if chain else None


def _retry_renamed(state: State) -> Raw | None:
    chain = _latest(state)
    return _retry(state, chain, retryId="other") if chain else None


def _retry_id_shared(state: State) -> Raw | None:
    chain = _latest(state)
    return _retry(state, chain, policyKey="other", retry=1) if chain else None


def _retry_elsewhere(state: State) -> Raw | None:
    chain = _latest(state)
    return _retry(state, chain, step=state.step + 1) if chain else None


def _retry_other_provider(state: State) -> Raw | None:
    chain = _latest(state)
    other = {"provider": "other", "retry": 1, "retryId": f"r{state.seq}"}
    return _retry(state, chain, **other) if chain else None


def _started(state: State, chain: Chain, **members: Any) -> Raw:
    data = here(state, retryId=chain.id, retry=chain.retry)
    return event(state, "llm/retry-started", {**data, "step": chain.key[0], **members})


def _started_twice(state: State) -> Raw | None:
    chain = state.chains[-1] if state.chains else None
    return _started(state, chain) if chain is not None and chain.started else None


def _started_unknown(state: State) -> Raw | None:
    chain = state.chains[-1] if state.chains else None
    return _started(state, chain, retryId="other") if chain is not None else None


BREACHES = (
    Breach("HDRREQ-CANONICAL", "request header with a system prompt", _system, noticed="append"),
    Breach(
        "HDRREQ-CANONICAL",
        "request header with a null system prompt",
        _system_null,
        noticed="append",
    ),
    Breach("HDRREQ-CANONICAL", "request header with empty tools", _no_tools),
    Breach("HDRREQ-CANONICAL", "request header with empty defaults", _no_defaults),
    Breach(
        "HDRREQ-DEFAULT-NEEDS-VALUE",
        "default without a value",
        _valueless_default,
        noticed="session",
    ),
    Breach(
        "HDRREQ-DEFAULT-NEEDS-VALUE", "default that is false", _false_default, noticed="session"
    ),
    Breach("INV-REQHDR-RESTORE", "request header of no provider", _nobody, noticed="session"),
    Breach("HDRREQ-DEFER", "tool with deferLoading false", _loading, noticed="append"),
    Breach("INV-NO-FALLBACK", "request header by fallback", _fallback, kind=UNSUPPORTED),
    Breach(
        "INV-REQHDR-RESTORE", "request header for an unknown reason", _odd_reason, noticed="session"
    ),
    Breach("INV-REQHDR-RESTORE", "startsSeries false", _no_series, noticed="session"),
    Breach("REL-RETRY-CHAIN", "retry number skips", _retry_skips),
    Breach("REL-RETRY-CHAIN", "retry chain changes its id", _retry_renamed),
    Breach("REL-RETRY-CHAIN", "two chains share an id", _retry_id_shared),
    Breach("REL-RETRY-COORD", "retry of another step", _retry_elsewhere),
    Breach("REL-RETRY-COORD", "retry of another provider", _retry_other_provider),
    Breach("REL-RETRY-START", "retry starts twice", _started_twice),
    Breach("REL-RETRY-START", "unknown retry starts", _started_unknown),
)
