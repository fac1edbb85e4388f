"""Turns an operation of the model into a request, with what the model demands of the answer."""

from collections.abc import Mapping, Sequence

from dsh_conformance.implementation.hostile import encode_value
from dsh_conformance.tracks.store.expect import (
    Accepted,
    AcceptedOrRefusedAs,
    Check,
    Dense,
    Equals,
    HeaderIs,
    Ids,
    RefusedAs,
)
from dsh_conformance.tracks.store.script import Call
from dsh_reference.store.seam import (
    Append,
    Create,
    Decision,
    Inspect,
    ListAll,
    ListSnapshots,
    Load,
    Operation,
    ReadFrom,
    World,
)
from dsh_spec.values import JsonObject


def ask(
    operation: Operation, decision: Decision[World], *, says: str = "", view: bool = False
) -> Call:
    """Return the request for an operation and the checks of its answer."""
    method, params = request(operation)
    return Call(
        method=method,
        params=params,
        checks=demands(operation, decision),
        process=operation.process,
        view=view,
        says=says,
    )


def request(operation: Operation) -> tuple[str, JsonObject]:
    """Return the method and the parameters of an operation."""
    match operation:
        case Create(header=header, hostile=hostile):
            return "store/create", {"header": header if hostile else encode_value(header)}
        case Append(session=session, events=events, hostile=hostile):
            batch = list(events) if hostile else [encode_value(event) for event in events]
            return "store/append", {"id": session, "events": batch}
        case Load(session=session):
            return "store/load", {"id": session}
        case Inspect(session=session):
            return "store/inspect", {"id": session}
        case ReadFrom(session=session, start=start):
            return "store/readFrom", {"id": session, "fromSeq": start}
        case ListAll():
            return "store/list", {}
        case ListSnapshots():
            return "store/listSnapshots", {}


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
    if isinstance(operation, Load | Inspect | ReadFrom):
        header = states["header"]
        assert isinstance(header, Mapping)
        kept = Check("STORE-HEADER-KEPT", HeaderIs(("header",), header))
        right = Check(decision.rule, Equals(("events",), states["events"]))
        if isinstance(operation, ReadFrom):
            return [kept, right, Check("STORE-DENSE-SEQ", Dense(int(operation.start)))]
        return [kept, Check("STORE-DENSE-SEQ", Dense(0)), right]
    if isinstance(operation, ListAll | ListSnapshots):
        ids = states["ids"]
        assert isinstance(ids, tuple)
        at = "headers" if isinstance(operation, ListAll) else "snapshots"
        return [Check("STORE-LIST-COMPLETE", Ids(tuple(str(i) for i in ids), (at,)))]
    return []
