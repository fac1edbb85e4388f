"""Sabotages of the fold and of what is shown."""

import copy
from collections.abc import Callable, Mapping
from typing import Any

from dsh_conformance.implementation.backend import Refuse
from dsh_conformance.sabotage.core_taking import takes
from dsh_conformance.sabotage.core_wrap import (
    Methods,
    Raw,
    answers,
    named,
    of,
    refuses,
    remembers,
    result,
)

_FOLD, _DERIVE = "core/fold", "core/derive"


def _type(params: Raw, seq: int) -> str:
    at = seq - params.get("baseSeq", 0)
    return str(params["events"][at]["type"])


@result("SURF-TYPES", _FOLD)
def keeps_system_messages_off_the_surface(found: Raw, params: Raw) -> None:
    """A system message is no node."""
    found["nodes"] = [n for n in found["nodes"] if _type(params, n) != "system/message"]


@result("SURF-TYPES", _FOLD)
def puts_calls_on_the_surface(found: Raw, params: Raw) -> None:
    """A tool call is a node."""
    calls = [event["seq"] for event in of(params["events"], "tool/call")]
    found["nodes"] = (
        sorted([*found["nodes"], *calls]) if not found["replacements"] else found["nodes"]
    )


@result("SURF-FOLD", _FOLD)
def puts_replacements_last(found: Raw, _params: Raw) -> None:
    """What replaces goes to the end of the surface."""
    seqs = {each["seq"] for each in found["replacements"]}
    kept = [node for node in found["nodes"] if node not in seqs]
    found["nodes"] = kept + [node for node in found["nodes"] if node in seqs]


@result("SURF-FOLD", _FOLD)
def sorts_nodes_by_seq(found: Raw, _params: Raw) -> None:
    """Nodes are given in the order of the log."""
    found["nodes"].sort()


@refuses("SURF-REPLACE-ORDER", _FOLD, like="F11")
def compares_endpoints_as_numbers(params: Raw) -> bool:
    """A replacement whose start has the greater seq is refused."""
    operations = (event.get("surfaceOp") for event in params["events"])
    ranges = [[*op.values()][1:] for op in operations if isinstance(op, dict)]
    return any(each != sorted(each) for each in ranges if all(isinstance(n, int) for n in each))


@result("SURF-GENERATIONS", _FOLD)
def counts_nodes_as_generations(found: Raw, _params: Raw) -> None:
    """The generation counts what was ever shadowed, not the replacements."""
    found["replaceGeneration"] = sum(len(each["shadowedSeqs"]) for each in found["replacements"])


@result("SURF-GENERATIONS", _FOLD)
def counts_no_projections(found: Raw, _params: Raw) -> None:
    """The generation of the content leaves projections out."""
    if "contentGeneration" in found:
        found["contentGeneration"] = found["replaceGeneration"]


@result("SURF-SHADOWED", _FOLD)
def shadows_up_to_the_end(found: Raw, _params: Raw) -> None:
    """The end of a stretch is not counted as shadowed."""
    for each in found["replacements"]:
        each["shadowedSeqs"] = each["shadowedSeqs"][:-1] or each["shadowedSeqs"]


@result("SURF-SHADOWED", _FOLD)
def sorts_what_is_shadowed(found: Raw, _params: Raw) -> None:
    """What is shadowed is given in the order of the log."""
    for each in found["replacements"]:
        each["shadowedSeqs"].sort()


@remembers("SURF-PREFIX")
def never_folds_back(right: Methods) -> Mapping[str, Any]:
    """A log that begins as the last one did, and is shorter, is taken for the last one."""
    last: list[Any] = [None, ()]

    def fold(params: Any) -> Any:
        events = params["events"]
        if events and "baseSeq" not in params and last[1][: len(events)] == events:
            return copy.deepcopy(last[0])
        found = right[_FOLD](params)
        last[:] = [copy.deepcopy(found), copy.deepcopy(events)]
        return found

    return {_FOLD: fold}


@result("SURF-WINDOW", _FOLD)
def counts_from_the_window(found: Raw, params: Raw) -> None:
    """The nodes of a window are numbered from its beginning."""
    found["nodes"] = [node - params.get("baseSeq", 0) for node in found["nodes"]]


@answers("SURF-WINDOW", _FOLD)
def lets_windows_reach_back(params: Raw, right: Callable[[Any], Any]) -> Any:
    """A window whose replacement begins before it is folded without that replacement."""
    events = params["events"]
    while True:
        try:
            return right({**params, "events": events})
        except Refuse as refusal:
            is_back = refusal.rule in ("SURF-REPLACE-START", "SURF-REPLACE-END")
            if not is_back or not params.get("baseSeq"):
                raise
            events = events[
                : int(str(refusal).split("event ")[1].split(":")[0]) - params["baseSeq"]
            ]


@answers("SURF-SEQ-CONTIGUOUS", _FOLD)
def takes_any_base(params: Raw, right: Callable[[Any], Any]) -> Any:
    """A window is folded from the seq of its first event, whatever base is told."""
    events = params["events"]
    return right({**params, "baseSeq": events[0]["seq"]} if events else params)


@answers("WIN-SYSTEM-HEAD", _FOLD)
def protects_the_head_of_logs_only(params: Raw, right: Callable[[Any], Any]) -> Any:
    """The head of a window is not protected."""
    try:
        return right(params)
    except Refuse as refusal:
        if refusal.rule != "SURF-SYSTEM-HEAD" or not params.get("baseSeq"):
            raise
    return {"nodes": [], "replaceGeneration": 0, "contentGeneration": 0, "replacements": []}


@result("IMG-EFFECT", _FOLD)
def drops_what_is_offloaded(found: Raw, params: Raw) -> None:
    """A message whose image is offloaded leaves the surface."""
    for event in of(params["events"], "image/offload"):
        gone = {target["seq"] for target in event["data"]["targets"]}
        found["nodes"] = [node for node in found["nodes"] if node not in gone]


@result("IGN-UNKNOWN-V4", _FOLD)
def shows_strangers(found: Raw, params: Raw) -> None:
    """An event of a type that nobody knows is a node."""
    found["nodes"] += [event["seq"] for event in of(params["events"], "acme/note")]


@refuses("SURF-UNKNOWN-IGNORABLE-OPAQUE", _FOLD)
def judges_the_metadata_of_strangers(params: Raw) -> bool:
    """An unknown event with a surfaceOp or with sources is refused, ignorable or not."""
    return any(
        "surfaceOp" in event or "sourceEventSeqs" in event
        for event in of(params["events"], "acme/note")
    )


@result("PROJ-HISTORY", _DERIVE)
def shows_the_newest_first(found: Raw, _params: Raw) -> None:
    """Messages come in the opposite order."""
    found["messages"].reverse()


@result("PROJ-HISTORY", _DERIVE)
def shows_the_last_three(found: Raw, _params: Raw) -> None:
    """Only the last messages are shown."""
    found["messages"] = found["messages"][-3:]


@result("PROJ-VERBATIM", _DERIVE)
def drops_the_source(found: Raw, _params: Raw) -> None:
    """A shown message has no source."""
    for message in found["messages"]:
        message.pop("source", None)


@result("PROJ-VERBATIM", _DERIVE)
def repeats_itself(found: Raw, _params: Raw) -> None:
    """An answer begins with its first block twice."""
    for message in found["messages"]:
        if message.get("role") == "assistant":
            message["content"] = [*message["content"][:1], *message["content"]]


@result("PROJ-HISTORY", _DERIVE)
def numbers_messages(found: Raw, _params: Raw) -> None:
    """A shown message has its place for an id."""
    for at, message in enumerate(found["messages"]):
        message["id"] = f"m-{at}"


@result("PROJ-EMPTY", _DERIVE)
def drops_empty_questions(found: Raw, _params: Raw) -> None:
    """A message of the user without content is not shown."""
    found["messages"] = [
        m for m in found["messages"] if m.get("content") or m.get("role") != "user"
    ]


@answers("PROJ-EMPTY", _DERIVE)
def shows_empty_answers(params: Raw, right: Callable[[Any], Any]) -> Any:
    """An answer without content is shown."""
    found = copy.deepcopy(right(params))
    empty = [
        event["data"]["message"]
        for event in of(params["events"], "assistant/message")
        if event["data"].get("message", {}).get("content") == []
    ]
    found["messages"] += empty
    return found


@result("PROJ-OFFLOADED", _DERIVE)
def drops_the_attachment(found: Raw, _params: Raw) -> None:
    """An image that is offloaded is shown without its attachment."""
    for message in found["messages"]:
        for block in message["content"]:
            if block.get("offloaded"):
                block.pop("attachment", None)


@result("PROJ-REQUIRED", _DERIVE)
def shows_offloaded_images(found: Raw, _params: Raw) -> None:
    """A projection changes nothing that is shown."""
    for message in found["messages"]:
        for block in message["content"]:
            block.pop("offloaded", None)


@answers("PROJ-REQUIRED", _DERIVE)
def skips_offloads(params: Raw, right: Callable[[Any], Any]) -> Any:
    """An offload is taken for a note that concerns nobody."""
    plain = [
        {**event, "type": "todo/write"} if event["type"] == "image/offload" else event
        for event in params["events"]
    ]
    return right({**params, "events": plain})


@result("PROJ-APPEND-ORIGIN", _DERIVE)
def tells_people_of_people_only(found: Raw, params: Raw) -> None:
    """Where nothing was replaced, what systems and developers said is left out."""
    if not any(isinstance(event.get("surfaceOp"), dict) for event in params["events"]):
        hidden = ("system", "developer")
        found["messages"] = [m for m in found["messages"] if m.get("role") not in hidden]


@answers("IGN-MEANING", _DERIVE)
def skips_what_is_ignorable(params: Raw, right: Callable[[Any], Any]) -> Any:
    """An event that is marked ignorable is not shown, whatever its type."""
    found = right(params)
    marked = [event.get("ignorable") for event in params["events"]]
    return {"messages": []} if marked and all(marked) else found


@remembers("SURF-ATOMIC")
def keeps_what_it_refused(right: Methods) -> Mapping[str, Any]:
    """After a refused append the surface has a node more."""
    refused: list[int] = []

    def append(params: Any) -> Any:
        try:
            found = right["core/append"](params)
        except Refuse:
            refused.append(len(params["events"]))
            raise
        refused.clear()
        return found

    def fold(params: Any) -> Any:
        found = copy.deepcopy(right[_FOLD](params))
        if refused and refused[-1] == len(params["events"]):
            found["nodes"] = [*found["nodes"], refused[-1]]
        return found

    return {"core/append": append, _FOLD: fold}


@refuses("SRC-EARLIER", _FOLD)
def wants_sources_sorted(params: Raw) -> bool:
    """Sources that do not ascend are refused."""
    sources = (event.get("sourceEventSeqs") for event in params["events"])
    return any(isinstance(each, list) and each != sorted(each) for each in sources)


#: The oldest mistake of all: the surface is the appended messages.
ignores_replacements = named(
    "SURF-FOLD",
    "core-ignores-replacements",
    "Nothing is ever replaced.",
    lambda right: {
        _FOLD: lambda params: _unreplaced(copy.deepcopy(right[_FOLD](params))),
    },
)


def _unreplaced(found: Any) -> Any:
    shadowed = [seq for each in found["replacements"] for seq in each["shadowedSeqs"]]
    return {**found, "nodes": sorted({*found["nodes"], *shadowed})}


#: Whatever is wrong with the surface, a session takes it.
appends_blindly = named(
    "APP-SURFACE",
    "core-appends-blindly",
    "An append is not held to the surface.",
    lambda right: {
        "core/append": takes(
            "SURF-MARKER-REQUIRED", "SURF-MARKER-SHAPE", "SURF-REPLACE-START", "SRC-EARLIER",
            "SURF-REPLACE-COVERAGE", "SURF-LOGONLY-NO-OP", "SURF-REPLACE-EARLIER",
        )(right)["core/append"]
    },
)  # fmt: skip
