"""Retries, commands, titles, dispatches, deliveries and catalogues: which logs a reader accepts."""

from collections.abc import Sequence
from typing import Any

import pytest

from dsh_reference.admit import admit
from dsh_reference.refusal import Refusal
from dsh_spec.refusals import RefusalKind

_HEADER: dict[str, Any] = {"version": 4, "id": "s", "createdAt": 0, "isSeeded": False}


def _event(kind: str, data: Any = None, **keys: Any) -> dict[str, Any]:
    return {"type": kind, "time": 0, "data": {} if data is None else data, **keys}


def _turn(number: int = 1) -> dict[str, Any]:
    return _event("turn/start", {"turn": number})


def _step(number: int = 1, turn: int = 1) -> dict[str, Any]:
    return _event("step/start", {"turn": turn, "step": number})


def _step_end(number: int = 1, turn: int = 1) -> dict[str, Any]:
    return _event("step/end", {"turn": turn, "step": number})


def _turn_end(number: int = 1) -> dict[str, Any]:
    return _event("turn/end", {"turn": number, "reason": {"kind": "completed"}})


def _user(kind: str = "user", **keys: Any) -> dict[str, Any]:
    source = {"kind": kind, "compactionId": "k"} if kind == "compact-checkpoint" else {"kind": kind}
    message = {"id": "u", "role": "user", "content": [], "source": source}
    return _event("user/message", message, **{"surfaceOp": "append", **keys})


def _over(start: int, end: int, *sources: int) -> dict[str, Any]:
    op = {"op": "replace", "startSeq": start, "endSeq": end}
    return {"surfaceOp": op, "sourceEventSeqs": list(sources)}


def _header() -> dict[str, Any]:
    data = {"header": {"config": {"provider": "p", "model": "m"}}, "reason": "initial"}
    return _event("request/header", data)


def _retry(number: int, step: int, turn: int = 1) -> dict[str, Any]:
    data = {"retryId": f"r{turn}", "turn": turn, "step": step, "provider": "p"}
    return _event("llm/retry", {**data, "policyKey": "k", "retry": number})


def _started(number: int) -> dict[str, Any]:
    return _event("llm/retry-started", {"retryId": "r1", "turn": 1, "step": 1, "retry": number})


def _dispatch(what: str, call: str, parent: str = "root") -> dict[str, Any]:
    data = {"rootCallId": "root", "parentCallId": parent, "subCallId": call}
    return _event(f"tool/ptc-dispatch{what}", {**data, "name": "t", "arguments": {"a": 1}})


def _delivery(session: str, through: int, version: int | None = 4) -> dict[str, Any]:
    data: dict[str, Any] = {"sessionId": session, "throughSeq": through}
    if version is not None:
        data["sessionFormatVersion"] = version
    return _event("session-log-deepseek/delivery-accepted", data)


def _command(what: str) -> dict[str, Any]:
    return _event(f"command/{what}", {"commandId": "c", "kind": "success"})


def _title(kind: str, *seqs: int) -> dict[str, Any]:
    return _event("session/title", {"messageSeqs": list(seqs), "source": {"kind": kind}})


def _title_request(*seqs: int) -> dict[str, Any]:
    message = {
        "id": "q",
        "role": "user",
        "content": [{"type": "text", "text": ""}],
        "source": {"kind": "dsh-session-title-llm"},
    }
    data = {"messageSeqs": list(seqs), "messages": [message]}
    return _event("session/title-llm-request", data)


def _child(name: str = "c", **data: Any) -> dict[str, Any]:
    entry = {"version": 0, "childId": name, "childCreatedAt": 0, "mode": "one-shot"}
    return _event("subagent/catalog", {**entry, **data})


def _in(raw: dict[str, Any], **data: Any) -> dict[str, Any]:
    return {**raw, "data": {**raw["data"], **data}}


_STEP = (_turn(), _step())
_REQUEST = (*_STEP, _header())
#: Logs whose last event breaks the rule; the real runtime refuses each of them.
_REFUSED: list[tuple[str, list[dict[str, Any]]]] = [
    ("REL-RETRY-COORD", [*_STEP, _retry(1, 1)]),
    ("REL-RETRY-COORD", [*_REQUEST, _retry(1, 2)]),
    ("REL-RETRY-COORD", [*_REQUEST, _retry(1, 1, turn=2)]),
    ("REL-RETRY-COORD", [*_REQUEST, _in(_retry(1, 1), provider="q")]),
    ("REL-RETRY-COORD", [*_REQUEST, _step_end(), _turn_end(), _turn(2), _retry(1, 1, turn=2)]),
    ("REL-RETRY-CHAIN", [*_REQUEST, _retry(2, 1)]),
    ("REL-RETRY-CHAIN", [*_REQUEST, _retry(1, 1), _retry(1, 1)]),
    ("REL-RETRY-CHAIN", [*_REQUEST, _retry(1, 1), _in(_retry(2, 1), retryId="z")]),
    ("REL-RETRY-CHAIN", [*_REQUEST, _retry(1, 1), _in(_retry(1, 1), policyKey="z")]),
    ("REL-RETRY-START", [*_REQUEST, _started(1)]),
    ("REL-RETRY-START", [*_REQUEST, _retry(1, 1), _started(1), _started(1)]),
    ("REL-RETRY-START", [*_REQUEST, _retry(1, 1), _in(_started(1), step=2)]),
    ("REL-COMMAND", [_command("done")]),
    ("REL-COMMAND", [_command("run"), _command("run")]),
    ("REL-COMMAND", [_command("run"), _in(_command("done"), sourceEventSeq=0)]),
    ("REL-COMMAND", [_command("run"), _in(_command("done"), sourceEventSeq=1)]),
    ("REL-COMMAND", [_command("run"), _in(_command("done"), sourceEventSeq=9)]),
    ("REL-COMMAND", [_user(), _command("run"), _in(_command("done"), sourceEventSeq=2)]),
    (
        "REL-COMMAND",
        [_user(), _command("run"), _in(_command("done"), sourceEventSeq=0, kind="error")],
    ),
    ("REL-TITLE", [_title("fallback")]),
    ("REL-TITLE", [_user(), _title("user", 0)]),
    ("REL-TITLE", [_user(), _title("fallback", 0, 0)]),
    ("REL-TITLE", [_user("goal"), _title("fallback", 0)]),
    ("REL-TITLE", [_turn(), _title("fallback", 0)]),
    ("REL-TITLE", [_title("fallback", 0)]),
    ("REL-TITLE-REQUEST", [_turn(), _title_request(0)]),
    ("REL-TITLE-REQUEST", [_user(), _title_request(0, 0)]),
    ("REL-TITLE-REQUEST", [_title_request(0)]),
    ("REL-PTC", [_turn(), _dispatch("-start", "a"), _dispatch("-start", "a")]),
    ("REL-PTC", [_turn(), _dispatch("-start", "a", "b")]),
    ("REL-PTC", [_turn(), _in(_dispatch("-start", "a", "b"), rootCallId="b", parentCallId="a")]),
    (
        "REL-PTC",
        [_turn(), _dispatch("-start", "a"), _in(_dispatch("-start", "b", "a"), rootCallId="z")],
    ),
    ("REL-PTC", [_turn(), _dispatch("", "a")]),
    ("REL-PTC", [_turn(), _dispatch("-start", "a"), _dispatch("", "a"), _dispatch("", "a")]),
    ("REL-PTC", [_turn(), _dispatch("-start", "a"), _in(_dispatch("", "a"), name="u")]),
    ("REL-PTC", [_turn(), _dispatch("-start", "a"), _in(_dispatch("", "a"), rootCallId="u")]),
    ("REL-PTC", [_turn(), _dispatch("-start", "a"), _in(_dispatch("", "a"), parentCallId="u")]),
    (
        "REL-PTC",
        [_turn(), _dispatch("-start", "a"), _in(_dispatch("", "a"), arguments={"a": True})],
    ),
    ("DELIV-OWNER", [_user(), _delivery("other", 0)]),
    ("CATALOG-UNIQUE", [_child(), _child()]),
    ("CATALOG-SHAPE", [_child(version=2)]),
    ("CATALOG-SHAPE", [_child(version=1, mode="external")]),
    ("CATALOG-SHAPE", [_child(mode="unknown")]),
    ("CATALOG-SHAPE", [_child(mode="continuable")]),
    ("CATALOG-SHAPE", [_event("subagent/catalog")]),
]
#: Logs that look odd; the real runtime reads each of them.
_ADMITTED: dict[str, list[dict[str, Any]]] = {
    "a retry before any step": [_turn(), _header(), _retry(1, 0)],
    "a retry behind its step": [_turn(), _step(), _header(), _step_end(), _retry(1, 1)],
    "retries started late": [
        *(_turn(), _step(), _header(), _retry(1, 1), _retry(2, 1), _step_end(), _turn_end()),
        *(_started(1), _started(2)),
    ],
    "a retry in the next turn": [
        *(_turn(), _step(), _header(), _retry(1, 1), _step_end(), _turn_end()),
        *(_turn(2), _retry(1, 0, turn=2)),
    ],
    "a command done twice": [_command("run"), _command("done"), _command("done")],
    "a title of a shadowed message": [
        *(_user(), _user(**_over(0, 0, 0))),
        _event("session/title", {"messageSeqs": [1, 0], "source": {"kind": "odd"}}),
    ],
    "dispatches over turns": [
        *(_turn(), _dispatch("-start", "root"), _dispatch("-start", "b", "root"), _turn_end()),
        *(_turn(2), _dispatch("", "root"), _dispatch("-start", "d", "b"), _dispatch("", "b")),
    ],
    "deliveries of other formats": [
        _delivery("other", 99, None),
        _delivery("other", 99, 3),
        _delivery("other", 99, 5),
        _delivery("s", 0),
    ],
    "odd payloads of plugins": [_event("todo/write", [1]), _event("goal/change", "x")],
}


def _verdict(raws: Sequence[dict[str, Any]]) -> tuple[RefusalKind, str, str] | None:
    outcome = admit(_HEADER, 0, [{**raw, "seq": seq} for seq, raw in enumerate(raws)])
    if isinstance(outcome, Refusal):
        return outcome.kind, outcome.rule, outcome.where
    return None


@pytest.mark.parametrize(("rule", "raws"), _REFUSED)
def test_the_last_event_breaks_the_rule_and_the_others_do_not(
    rule: str, raws: list[dict[str, Any]]
) -> None:
    assert _verdict(raws[:-1]) is None
    assert _verdict(raws) == (RefusalKind.CORRUPT, rule, f"event {len(raws) - 1}")


@pytest.mark.parametrize("name", _ADMITTED)
def test_an_odd_log_is_admitted(name: str) -> None:
    assert _verdict(_ADMITTED[name]) is None
