"""Shapes of events that are refused, each by one rule."""

from typing import Any

from dsh_conformance.exhaust.ledger import Ledger, Move, Shape, event, refused
from dsh_conformance.exhaust.shapes import messages, requests, turns
from dsh_conformance.generate.state import Raw


def _user(ledger: Ledger, rule: str, **envelope: Any) -> Move:
    return refused(ledger, event(ledger, "user/message", messages.asked(ledger), **envelope), rule)


def _stretch(start: int, end: int, *cited: int) -> Raw:
    operation = {"op": "replace", "startSeq": start, "endSeq": end}
    return {"surfaceOp": operation, "sourceEventSeqs": [*dict.fromkeys((start, end, *cited))]}


def _unmarked(ledger: Ledger) -> Move:
    return _user(ledger, "SURF-MARKER-REQUIRED")


def _uncited(ledger: Ledger) -> Move | None:
    if not ledger.nodes:
        return None
    last = ledger.nodes[-1]
    operation = {"op": "replace", "startSeq": last, "endSeq": last}
    return _user(ledger, "SURF-REPLACE-COVERAGE", surfaceOp=operation)


def _half_cited(ledger: Ledger) -> Move | None:
    """The node in the middle is not cited."""
    if len(ledger.nodes) < 3:
        return None
    return _user(ledger, "SURF-REPLACE-COVERAGE", **_stretch(ledger.nodes[-3], ledger.nodes[-1]))


def _visible_marker(ledger: Ledger) -> Move:
    made = event(ledger, "session/end-seed", {}, surfaceOp="append")
    return refused(ledger, made, "SURF-LOGONLY-NO-OP")


def _sourced_answer(ledger: Ledger) -> Move | None:
    if not ledger.seq:
        return None
    made, _ = messages.answered(ledger)
    made = {**made, "surfaceOp": "append", "sourceEventSeqs": [0]}
    return refused(ledger, made, "SRC-ASSISTANT-FORBID")


def _rewriting(ledger: Ledger, seq: int | None, data: Raw, rule: str) -> Move | None:
    if seq is None:
        return None
    return refused(ledger, event(ledger, "tool/result", data, **_stretch(seq, seq)), rule)


def _changed_result(ledger: Ledger) -> Move | None:
    """A rewrite that also says that the call failed."""
    seq = ledger.find("tool/result")
    if seq is None:
        return None
    data, message = turns.rewritten(ledger, seq)
    data = {**data, "message": {**message, "isError": True}}
    return _rewriting(ledger, seq, data, "SURF-TOOL-CONTENT-ONLY")


def _result_of_none(ledger: Ledger) -> Move | None:
    """A result in the place of what is no result."""
    made, _ = turns.outcome(ledger, ledger.place)
    return _rewriting(ledger, ledger.find("user/message"), made["data"], "SURF-TOOL-TARGET")


def _backwards(ledger: Ledger) -> Move | None:
    if len(ledger.nodes) < 2:
        return None
    stretch = _stretch(ledger.nodes[-1], ledger.nodes[0], *ledger.nodes)
    return _user(ledger, "SURF-REPLACE-ORDER", **stretch)


def _shadowed(ledger: Ledger) -> int | None:
    return ledger.replaced[-1]["shadowedSeqs"][0] if ledger.replaced else None


def _from_shadow(ledger: Ledger) -> Move | None:
    seq = _shadowed(ledger)
    return None if seq is None else _user(ledger, "SURF-REPLACE-START", **_stretch(seq, seq))


def _to_shadow(ledger: Ledger) -> Move | None:
    seq = _shadowed(ledger)
    if seq is None:
        return None
    stretch = _stretch(ledger.nodes[0], seq, *ledger.nodes)
    return _user(ledger, "SURF-REPLACE-END", **stretch)


def _over_head(ledger: Ledger) -> Move | None:
    """A message of the user in the place of everything, the system message included."""
    if not messages.has_head(ledger):
        return None
    stretch = _stretch(ledger.nodes[0], ledger.nodes[-1], *ledger.nodes)
    return _user(ledger, "SURF-SYSTEM-HEAD", **stretch)


def _wide_renewal(ledger: Ledger) -> Move | None:
    """A system message in the place of the one at the head and what follows it."""
    if not messages.has_head(ledger) or len(ledger.nodes) < 2:
        return None
    made, _ = messages.prompted(ledger)
    made = {**made, **_stretch(ledger.nodes[0], ledger.nodes[1])}
    return refused(ledger, made, "SURF-SYSTEM-HEAD")


def _offloaded_again(ledger: Ledger) -> Move | None:
    seq = messages.visible_picture(ledger, offloaded=True)
    return None if seq is None else refused(ledger, messages.offloading(ledger, seq, 0), "IMG-ONCE")


def _no_image(ledger: Ledger) -> Move | None:
    seq = messages.visible_picture(ledger)
    if seq is None:
        return None
    return refused(ledger, messages.offloading(ledger, seq, 0, 1), "IMG-INDEXES")


def _offloaded_shadow(ledger: Ledger) -> Move | None:
    seq = _shadowed(ledger)
    return None if seq is None else refused(ledger, messages.offloading(ledger, seq, 0), "IMG-NODE")


def _own_source(ledger: Ledger) -> Move:
    return _user(ledger, "SRC-EARLIER", surfaceOp="append", sourceEventSeqs=[ledger.seq])


def _doubled_source(ledger: Ledger) -> Move | None:
    if not ledger.seq:
        return None
    return _user(ledger, "SRC-NO-DUP", surfaceOp="append", sourceEventSeqs=[0, 0])


def _prompt_in_header(ledger: Ledger) -> Move:
    made = requests.headed(ledger, "initial", system="a")
    return refused(ledger, made, "HDRREQ-CANONICAL", local=True)


def _no_tools(ledger: Ledger) -> Move:
    made = requests.headed(ledger, "initial", tools=[])
    return refused(ledger, made, "HDRREQ-CANONICAL", local=True)


def _undeclared_tool(ledger: Ledger) -> Move | None:
    source = requests.latest(ledger)
    if source is None:
        return None
    made, _ = requests.developed(ledger, requests.added("z"), headerSeq=source["seq"])
    return refused(ledger, {**made, "surfaceOp": "append"}, "DEV-HEADER-TOOL")


def _no_header(ledger: Ledger) -> Move | None:
    others = [each["seq"] for each in ledger.events if each["type"] != "request/header"]
    if not others:
        return None
    made, _ = requests.developed(ledger, requests.added("t"), headerSeq=others[-1])
    return refused(ledger, {**made, "surfaceOp": "append"}, "DEV-HEADER-REF")


#: Beside turns.
OF_TURNS: tuple[Shape, ...] = (
    _unmarked,
    _uncited,
    _visible_marker,
    _sourced_answer,
    _changed_result,
    _result_of_none,
)
#: Beside messages.
OF_SURFACE: tuple[Shape, ...] = (
    _half_cited,
    _backwards,
    _from_shadow,
    _to_shadow,
    _over_head,
    _wide_renewal,
    _offloaded_again,
    _no_image,
    _offloaded_shadow,
    _own_source,
    _doubled_source,
)
#: Beside requests.
OF_REQUESTS: tuple[Shape, ...] = (_prompt_in_header, _no_tools, _undeclared_tool, _no_header)
