"""The reference's answers on the core track."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

from dsh_conformance.implementation.backend import Refuse
from dsh_conformance.implementation.port import PureMethod
from dsh_reference import session
from dsh_reference.closers import closers_of
from dsh_reference.refusal import Refusal
from dsh_reference.session.append import Draft
from dsh_reference.session.typed import typed
from dsh_reference.session_log import SessionLog
from dsh_reference.values import not_json
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json

_Params: TypeAlias = Mapping[str, Any]
_Answer = TypeVar("_Answer")

_METADATA = ("surfaceOp", "sourceEventSeqs")


def _fold(params: _Params) -> Json:
    base_seq = params.get("baseSeq", 0)
    found = _kept(session.fold(params["events"], format=params["format"], base_seq=base_seq))
    replacements: list[Json] = [
        {"seq": r.seq, "start": r.start, "end": r.end, "shadowedSeqs": list(r.shadowed_seqs)}
        for r in found.replacements
    ]
    generations: dict[str, Json] = {"replaceGeneration": found.replace_generation}
    if found.content_generation is not None:
        generations["contentGeneration"] = found.content_generation
    return {"nodes": list(found.nodes), **generations, "replacements": replacements}


def _derive(params: _Params) -> Json:
    return {"messages": list(_kept(session.derive(params["events"], format=params["format"])))}


def _closers(params: _Params) -> Json:
    version, events = params["format"], params["events"]
    if version < 4 and params["cause"] != "interrupted":
        raise Refuse(RefusalKind.INVALID_ARGUMENT, "no fork closes anything before v4")
    if version == 4:
        _kept(typed(events))
    return {"events": list(closers_of(events, format=version, cause=params["cause"]))}


def _fork(params: _Params) -> Json:
    log = SessionLog(header=params["header"], inherited=0, events=tuple(params["events"]))
    made = _kept(
        session.fork(log, params["child"], format=params["format"], boundary=params.get("boundary"))
    )
    return {
        "header": made.header,
        "inheritedEventCount": made.inherited,
        "events": list(made.events),
    }


def _append(params: _Params) -> Json:
    draft = Draft(
        type=params["type"],
        data=params["data"],
        time=params["time"],
        metadata={key: params[key] for key in _METADATA if key in params},
    )
    return {"event": _kept(session.append(params["events"], draft, format=params["format"]))}


def _seed(params: _Params) -> Json:
    events = session.seed(
        params["header"],
        params["events"],
        format=params["format"],
        mode=params["mode"],
        inherited=params.get("inheritedEventCount"),
    )
    return {"events": list(_kept(events))}


def _request_header(params: _Params) -> Json:
    return {"value": session.request_header(params["events"], format=params["format"])}


def _request_context(params: _Params) -> Json:
    return {"value": session.request_context(params["events"])}


def _tool_history(params: _Params) -> Json:
    if params["format"] < 4:
        return {"value": None}
    return {"value": _kept(session.tool_history(params["events"]))}


def _json(params: _Params) -> Json:
    refusal = not_json(params["value"])
    if refusal is not None:
        _kept(refusal)
    return {"value": params["value"]}


def _admit(params: _Params) -> Json:
    refusal = session.load(params["header"], params["events"], format=params["format"])
    if refusal is not None:
        _kept(refusal)
    return {}


def _kept(answer: _Answer | Refusal) -> _Answer:
    """Return the answer; raises `Refuse` for a refusal."""
    if isinstance(answer, Refusal):
        raise Refuse(answer.kind, str(answer), answer.rule)
    return answer


#: The methods of the core track, by name.
CORE_METHODS: Mapping[str, PureMethod] = MappingProxyType(
    {
        "core/fold": _fold,
        "core/derive": _derive,
        "core/closers": _closers,
        "core/fork": _fork,
        "core/append": _append,
        "core/seed": _seed,
        "core/requestHeader": _request_header,
        "core/requestContext": _request_context,
        "core/toolHistory": _tool_history,
        "core/json": _json,
        "core/admit": _admit,
    }
)
