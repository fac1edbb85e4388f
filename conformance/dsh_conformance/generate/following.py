"""How each event changes where a log stands.

:func:`follow` judges nothing: it trusts that the event continues the log validly.
The rules are the reference's affair; this is an author's memory, not a second validator.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from attrs import evolve

from dsh_conformance.generate.state import SURFACE, Bracket, Call, Chain, Raw, State, message_of

#: How many earlier things a state remembers that later events may cite.
MEMORY = 6


def follow(state: State, event: Raw) -> State:
    """Return the state after *event*, which must continue the log validly."""
    change = _CHANGES.get(event["type"])
    changes = {} if change is None else change(state, event)
    if "surfaceOp" in event and event["type"] in SURFACE:
        changes["nodes"] = _placed(state.nodes, event)
    return evolve(state, seq=event["seq"] + 1, time=event["time"], **changes)


def state_of(events: Iterable[Raw]) -> State:
    """Return the state of a whole valid log."""
    state = State()
    for event in events:
        state = follow(state, event)
    return state


def states_of(events: Sequence[Raw]) -> list[State]:
    """Return the states of all prefixes of a valid log, the empty prefix first."""
    states = [State(time=events[0]["time"] if events else 0)]
    for event in events:
        states.append(follow(states[-1], event))
    return states


def _placed(nodes: tuple[Raw, ...], event: Raw) -> tuple[Raw, ...]:
    operation = event["surfaceOp"]
    if operation == "append":
        return (*nodes, event)
    seqs = [node["seq"] for node in nodes]
    first, last = seqs.index(operation["startSeq"]), seqs.index(operation["endSeq"])
    return (*nodes[:first], event, *nodes[last + 1 :])


def _turn_start(_state: State, event: Raw) -> Raw:
    turn = event["data"]["turn"]
    return {"turn": turn, "turn_open": True, "step": 0, "chains": ()}


def _turn_end(_state: State, _event: Raw) -> Raw:
    return {"turn_open": False}


def _step_start(_state: State, event: Raw) -> Raw:
    return {"step": event["data"]["step"], "step_open": True, "calls": ()}


def _step_end(_state: State, _event: Raw) -> Raw:
    return {"step_open": False, "calls": (), "dispatches": ()}


def _end_seed(_state: State, event: Raw) -> Raw:
    inherited = event["data"].get("inherited") is True
    return {"bracket": None, **({"cut": event["seq"], "children": ()} if inherited else {})}


def _user(state: State, event: Raw) -> Raw:
    if event["data"]["source"]["kind"] != "user":
        return {}
    return {"prompts": (*state.prompts, event["seq"])[-MEMORY:]}


def _assistant(state: State, event: Raw) -> Raw:
    blocks = message_of(event)["content"]
    calls = tuple(
        Call(id=block["id"], name=block["name"], arguments=block["arguments"])
        for block in blocks
        if block["type"] == "tool-call"
    )
    return {"calls": (*state.calls, *calls)}


def _call(state: State, event: Raw) -> Raw:
    mine = event["data"]["callId"]
    return {
        "calls": tuple(
            evolve(call, started=event["seq"]) if call.id == mine else call for call in state.calls
        )
    }


def _result(state: State, event: Raw) -> Raw:
    if event["surfaceOp"] != "append":
        return {}
    mine = event["data"]["message"]["toolCallId"]
    return {
        "calls": tuple(call for call in state.calls if call.id != mine),
        "dispatches": tuple(each for each in state.dispatches if each["rootCallId"] != mine),
    }


def _header(_state: State, event: Raw) -> Raw:
    declares = "tools" in event["data"]["header"]
    return {"header": event, **({"declaring": event} if declares else {})}


def _offload(state: State, event: Raw) -> Raw:
    targets = event["data"]["targets"]
    gone = {(target["seq"], index) for target in targets for index in target["imageIndexes"]}
    return {"offloaded": state.offloaded | gone}


def _compaction_start(_state: State, event: Raw) -> Raw:
    data = event["data"]
    command = data.get("sourceCommandId")
    id_, turn = data["compactionId"], data["turn"]
    return {"bracket": Bracket(id=id_, turn=turn, command=command, start=event["seq"])}


def _compaction_summary(state: State, _event: Raw) -> Raw:
    assert state.bracket is not None
    return {"bracket": evolve(state.bracket, summarised=True)}


def _compaction_end(_state: State, _event: Raw) -> Raw:
    return {"bracket": None}


def _retry(state: State, event: Raw) -> Raw:
    data = event["data"]
    key = (data["step"], data["provider"], data["policyKey"])
    chain = Chain(key=key, id=data["retryId"], retry=data["retry"])
    return {"chains": (*(other for other in state.chains if other.key != key), chain)}


def _retry_started(state: State, event: Raw) -> Raw:
    mine = event["data"]["retryId"]
    return {
        "chains": tuple(
            evolve(chain, started=True) if chain.id == mine else chain for chain in state.chains
        )
    }


def _command(state: State, event: Raw) -> Raw:
    return {"commands": (*state.commands, event["data"]["commandId"])[-MEMORY:]}


def _dispatch_start(state: State, event: Raw) -> Raw:
    return {"dispatches": (*state.dispatches, event["data"])}


def _dispatch(state: State, event: Raw) -> Raw:
    mine = event["data"]["subCallId"]
    return {"dispatches": tuple(each for each in state.dispatches if each["subCallId"] != mine)}


def _catalog(state: State, event: Raw) -> Raw:
    return {"children": (*state.children, event["data"]["childId"])[-MEMORY:]}


_CHANGES: Mapping[str, Callable[[State, Raw], Raw]] = MappingProxyType(
    {
        "turn/start": _turn_start,
        "turn/end": _turn_end,
        "step/start": _step_start,
        "step/end": _step_end,
        "session/end-seed": _end_seed,
        "user/message": _user,
        "assistant/message": _assistant,
        "tool/call": _call,
        "tool/result": _result,
        "request/header": _header,
        "image/offload": _offload,
        "compaction/start": _compaction_start,
        "compaction/summary": _compaction_summary,
        "compaction/end": _compaction_end,
        "llm/retry": _retry,
        "llm/retry-started": _retry_started,
        "command/run": _command,
        "tool/ptc-dispatch-start": _dispatch_start,
        "tool/ptc-dispatch": _dispatch,
        "subagent/catalog": _catalog,
    }
)
