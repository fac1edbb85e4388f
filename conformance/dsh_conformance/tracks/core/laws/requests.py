"""Law: the state of requests, which no replacement changes.

Source: facts surface-repair-fork §2.4 to §2.6, Q16.
"""

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from dsh_conformance.generate.formats import Format
from dsh_conformance.generate.state import Raw
from dsh_conformance.tracks.core.asking import Asked
from dsh_conformance.tracks.core.claims import NEWEST, claimed, one_of
from dsh_conformance.tracks.core.known import known
from dsh_conformance.tracks.core.laws.surface import some_logs
from dsh_conformance.tracks.pure.law import Law, Trial
from dsh_conformance.tracks.store.expect import Check, Equals
from dsh_reference.refusal import Refusal
from dsh_reference.session import fold, request_context, request_header, tool_history
from dsh_spec.values import JsonObject

_TOOLS = ("read", "bash", "grep")
_REASONS = ("initial", "change", "resume", "series")
#: A header with two tools, a message that takes one away, and a new series with the other.
_SERIES = ((1, 0, 1, 5), (3, 0, 5, 0), (1, 0, 3, 1))


@st.composite
def _cases(draw: st.DrawFn, versions: tuple[Format, ...]) -> Asked:
    if draw(st.integers(0, 3)) == 0:
        return draw(some_logs(versions))
    version = draw(one_of(versions))
    events: list[Raw] = []
    first = draw(st.sampled_from(((), (), (), _SERIES)))
    for dice in (*first, *draw(st.lists(st.tuples(*[st.integers(0, 255)] * 4), max_size=8))):
        event = _event(version, events, dice)
        if event is not None and not isinstance(fold([*events, event], format=version), Refusal):
            events.append(event)
    return Asked(format=version, events=tuple(events))


def _event(version: Format, events: list[Raw], dice: tuple[int, ...]) -> Raw | None:
    """Return the next event: a header, a context, or from v4 on a message about tools."""
    kind, one, two, three = dice
    envelope = {"seq": len(events), "time": 0}
    if kind % 5 == 0:
        context: Raw = {"provider": "p", "model": f"m{one % 3}"}
        context |= {"contextWindow": 1 + two} if two % 2 else {}
        return {**envelope, "type": "request/context", "data": context}
    if version == NEWEST and kind % 5 > 2:
        return _update(events, envelope, one, two)
    config: Raw = {"provider": "p", "model": "m"}
    header: Raw = {"config": config}
    if one % 3 == 1:
        config["maxTokens"] = two
        header["adapterDefaults"] = {"maxTokens": True}
    if one % 5 == 1:
        header["acme"] = one
    if version < 3 and two % 3:
        header["system"] = "" if two % 3 == 1 else f"be {one % 2}"
    tools = [_tool(name, three) for at, name in enumerate(_TOOLS) if three >> at & 1]
    if tools or (version < 3 and two % 2):
        header["tools"] = tools
    data: Raw = {"header": header, "reason": _REASONS[two % (4 if version == NEWEST else 3)]}
    if version == NEWEST and two % 7 == 0:
        data["startsSeries"] = True
    return {**envelope, "type": "request/header", "data": data}


def _tool(name: str, dice: int) -> Raw:
    """Return a declaration, one time in four another one than usual."""
    said = "other" if dice % 4 == 3 else "usual"
    return {"name": name, "description": said, "parameters": {}}


def _update(events: list[Raw], envelope: Raw, one: int, two: int) -> Raw | None:
    headers = [event["seq"] for event in events if event["type"] == "request/header"]
    blocks: list[Raw] = []
    if headers and one % 3:
        blocks.append({"type": "tool-addition", "toolName": _TOOLS[one % 3]})
    if two % 2 or not blocks:
        blocks.append({"type": "tool-removal", "toolName": _TOOLS[two % 3]})
    source = {"kind": "tool-registry"}
    message = {"id": f"d{envelope['seq']}", "role": "developer", "content": blocks}
    data: Raw = {"turn": 1, "step": 1, "message": {**message, "source": source}}
    if any(block["type"] == "tool-addition" for block in blocks):
        data["headerSeq"] = headers[two % len(headers)]
    return {**envelope, "type": "developer/message", "data": data, "surfaceOp": "append"}


def cases(claims: JsonObject) -> st.SearchStrategy[Asked] | None:
    """Logs of the claimed formats."""
    versions = claimed(claims)
    return _cases(versions) if versions else None


def check(trial: Trial, asked: Asked) -> None:
    """Ask for the request header, the context, and from v4 on the tool history."""
    for method, rule, value in _wanted(asked):
        expected = Check(rule, Equals(("value",), value))
        what = method.removeprefix("core/")
        trial.call(method, asked.params(), expected, says=f"ask {asked} for its {what}")


def _wanted(asked: Asked) -> list[tuple[str, str, Mapping[str, Any] | None]]:
    header = request_header(asked.events, format=asked.format)
    wanted: list[tuple[str, str, Mapping[str, Any] | None]] = [
        ("core/requestHeader", "PROJ-HEADER", header),
        ("core/requestContext", "PROJ-CONTEXT", request_context(asked.events)),
    ]
    if asked.format == NEWEST:
        history = known(tool_history(asked.events))
        wanted.append(("core/toolHistory", "PROJ-TOOLHISTORY", history))
    return wanted


#: The law.
REQUESTS: Law[Asked] = Law(name="requests", cases=cases, check=check, weight=30)
