"""Turns an operation of the model into a request, with what the model demands of the answer."""

from collections.abc import Sequence

from dsh_conformance.implementation.hostile import encode_value
from dsh_conformance.tracks.store.answers import Path
from dsh_conformance.tracks.store.expect import (
    Accepted,
    AcceptedOrRefusedAs,
    Check,
    CountIfGiven,
    Dense,
    Equals,
    HeaderIs,
    Ids,
    RefusedAs,
)
from dsh_conformance.tracks.store.script import Call
from dsh_reference.store import (
    Append,
    Close,
    Create,
    Decision,
    Flush,
    FlushAll,
    ListAll,
    Open,
    Operation,
    Read,
    Stat,
    World,
)
from dsh_spec.values import JsonObject


def ask(
    operation: Operation,
    decision: Decision[World],
    *,
    says: str = "",
    view: bool = False,
) -> Call:
    """Return the request for an operation and the checks of its answer."""
    method, params = request(operation)
    keeps: dict[str, Path] = {}
    if isinstance(operation, Create | Open):
        keeps[operation.handle] = ("handle",)
    return Call(
        method=method,
        params=params,
        checks=demands(operation, decision),
        keeps=keeps,
        process=process_of(operation),
        view=view,
        says=says,
    )


def process_of(operation: Operation) -> str:
    """Return the process that an operation asks; handles carry it in their names (`main.3`)."""
    if isinstance(operation, Read | Append | Flush | Close):
        return operation.handle.partition(".")[0]
    return operation.process


def request(operation: Operation) -> tuple[str, JsonObject]:
    """Return the method and the parameters of an operation."""
    match operation:
        case Create():
            return "store/create", _creation(operation)
        case Open(session=session, access=access):
            return "store/open", {"id": session, "access": access}
        case Read(handle=handle, offset=offset, length=length):
            limits = {"offset": offset} if length is None else {"offset": offset, "length": length}
            return "store/read", {"handle": handle, **limits}
        case Append():
            return "store/append", _batch(operation)
        case Flush(handle=handle):
            return "store/flush", {"handle": handle}
        case FlushAll():
            return "store/flush", {}
        case Close(handle=handle):
            return "store/close", {"handle": handle}
        case Stat(session=session):
            return "store/stat", {"id": session}
        case ListAll():
            return "store/list", {}


def _creation(op: Create) -> JsonObject:
    header = op.header if op.hostile else encode_value(op.header)
    count = {} if op.inherited is None else {"inheritedEventCount": op.inherited}
    return {"header": header, **count}


def _batch(op: Append) -> JsonObject:
    events = list(op.events) if op.hostile else [encode_value(event) for event in op.events]
    return {"handle": op.handle, "events": events}


def demands(operation: Operation, decision: Decision[World]) -> tuple[Check, ...]:
    """Return what the model demands of the answer."""
    if decision.accepted is None:
        return (Check(decision.rule, RefusedAs(decision.kinds)),)
    if decision.refused is not None:
        free = AcceptedOrRefusedAs(decision.kinds)
        return (Check(decision.rule, free),) if decision.kinds else ()
    return (Check(decision.rule, Accepted()), *_stated(operation, decision))


def _stated(operation: Operation, decision: Decision[World]) -> Sequence[Check]:
    """Return what the result must state."""
    states = decision.states
    match operation:
        case Open():
            header = states["header"]
            assert isinstance(header, dict)
            checks = [Check("STORE-HEADER-KEPT", HeaderIs(("header",), header))]
            if "inheritedEventCount" in states:
                count = Equals(("inheritedEventCount",), states["inheritedEventCount"])
                checks.append(Check("STORE-CUT-KEPT", count))
            return checks
        case Read(offset=offset):
            return [
                Check("STORE-DENSE-SEQ", Dense(int(offset))),
                Check("STORE-READ-RANGE", Equals(("events",), states["events"])),
            ]
        case Stat() if "header" in states:
            header = states["header"]
            assert isinstance(header, dict)
            return [Check("STORE-HEADER-KEPT", HeaderIs(("snapshot", "header"), header))]
        case Stat():
            return [Check("STORE-NOT-FOUND", Equals(("snapshot",), None))]
        case ListAll():
            ids = states["ids"]
            assert isinstance(ids, tuple)
            return [Check("STORE-LIST-COMPLETE", Ids(tuple(str(i) for i in ids)))]
        case _:
            return []


def count_check(rule: str, count: int) -> Check:
    """Demand that a snapshot which counts its events counts right."""
    return Check(rule, CountIfGiven(("snapshot",), count))
