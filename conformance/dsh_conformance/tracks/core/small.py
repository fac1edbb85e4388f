"""Small logs over a few shapes of events, in every order that has a surface.

What an author writes is in good order, and so never shows what a fold or a repair does with a log
that is not.  Here events come as they come: turns that nobody ends, results for another step,
calls named twice, replacements of replacements, system messages in the middle.
An event that the model's fold refuses is left out, so every small log has a surface.

Source: facts surface-repair-fork §1.8, §3.3b and EX1 to EX13, which are such logs.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from attrs import frozen
from hypothesis import strategies as st

from dsh_conformance.generate.formats import Format
from dsh_conformance.generate.state import Raw
from dsh_reference.refusal import Refusal
from dsh_reference.session import Folded, fold

#: The newest format.
NEWEST: Final = 4
#: The most events that a small log has.
MOST = 14


@frozen(kw_only=True)
class Stage:
    """Where a small log stands."""

    #: The format.
    format: Format
    #: The events so far.
    events: tuple[Raw, ...]
    #: The surface so far.
    surface: Folded
    #: What chooses particulars, from 0 to 255.
    dice: tuple[int, int]

    @property
    def seq(self) -> int:
        """The seq of the next event."""
        return len(self.events)

    def node(self, dice: int) -> int | None:
        """Return a node, or nothing on an empty surface."""
        nodes = self.surface.nodes
        return nodes[dice % len(nodes)] if nodes else None


#: Writes the data and the envelope of the next event, or nothing where that is impossible.
Shape: TypeAlias = Callable[[Stage], Raw | None]


def _text(stage: Stage) -> Raw:
    return {"type": "text", "text": f"t{stage.seq}"}


def _content(stage: Stage) -> list[Raw]:
    """Return no content one time in four."""
    return [] if stage.dice[1] % 4 == 3 else [_text(stage)]


def _event(stage: Stage, kind: str, data: Any, **envelope: Any) -> Raw:
    """Return the next event; the clock now and then goes back."""
    time = 100 + stage.seq - 7 * (stage.dice[0] % 5 == 4)
    return {"type": kind, "seq": stage.seq, "time": time, "data": data, **envelope}


def _appended(stage: Stage, kind: str, data: Any) -> Raw:
    return _event(stage, kind, data, surfaceOp="append")


def _replacing(stage: Stage, kind: str, data: Any, first: int, last: int) -> Raw:
    """Replace the stretch between two nodes, citing it in one order or the other."""
    nodes = list(stage.surface.nodes)
    low, high = sorted((nodes.index(first), nodes.index(last)))
    start, end = ("start", "end") if stage.format < 3 else ("startSeq", "endSeq")
    shadowed = nodes[low : high + 1]
    operation = {"op": "replace", start: nodes[low], end: nodes[high]}
    cited = shadowed[::-1] if stage.dice[0] % 2 else shadowed
    return _event(stage, kind, data, surfaceOp=operation, sourceEventSeqs=cited)


def _message(stage: Stage, role: str, source: Raw, content: list[Raw]) -> Raw:
    return {"id": f"m{stage.seq}", "role": role, "content": content, "source": source}


def _place(stage: Stage) -> Raw:
    """Return coordinates, which mostly are those of the first step."""
    return {"turn": _number(stage.dice[0]), "step": _number(stage.dice[1])}


def _number(dice: int) -> int:
    return (1, 1, 1, 1, 1, 2, 2, 3)[dice % 8]


def _user(stage: Stage) -> Raw:
    return _appended(stage, "user/message", _said(stage))


def _said(stage: Stage) -> Raw:
    return _message(stage, "user", {"kind": "user"}, _content(stage))


def _answer(stage: Stage, content: list[Raw]) -> Raw:
    source = {"kind": "model", "provider": "p", "model": "m"}
    data = {**_place(stage), "message": _message(stage, "assistant", source, content)}
    return _appended(
        stage, "assistant/message", data | ({"stream": []} if stage.format > 1 else {})
    )


def _plain_answer(stage: Stage) -> Raw:
    return _answer(stage, _content(stage))


def _calling(stage: Stage) -> Raw:
    """Name one to three of three calls."""
    first, count = stage.dice[0] % 3, 1 + stage.dice[1] % 3
    names = [f"c{1 + (first + at) % 3}" for at in range(count)]
    blocks = [{"type": "tool-call", "id": name, "name": "t", "arguments": "{}"} for name in names]
    return _answer(stage, blocks)


def _system(stage: Stage) -> Raw | None:
    if stage.format < 3:
        return None
    return _appended(stage, "system/message", _prompt(stage))


def _prompt(stage: Stage) -> Raw:
    # Before v4 who writes prompts is a plugin like any other, by its name.
    new, old = {"kind": "system-prompt"}, {"kind": "plugin", "plugin": "prompts"}
    said = _message(stage, "system", new if stage.format == NEWEST else old, _content(stage))
    return {**_place(stage), "message": said}


def _developer(stage: Stage) -> Raw | None:
    if stage.format < 4:
        return None
    content = [{"type": "tool-removal", "toolName": "t"}] if stage.dice[1] % 3 else []
    said = _message(stage, "developer", {"kind": "tool-registry"}, content)
    return _appended(stage, "developer/message", {**_place(stage), "message": said})


def _call(stage: Stage) -> Raw:
    data = {
        **_place(stage),
        "callId": f"c{_number(stage.dice[1] // 8)}",
        "name": "t",
        "arguments": "{}",
    }
    return _event(stage, "tool/call", data)


def _outcome(stage: Stage) -> Raw:
    """Return the data of a result for one of three calls."""
    call, content = f"c{_number(stage.dice[1] // 8)}", _content(stage)
    source = {"kind": "tool", "callId": call}
    if stage.format == 4:
        message = {**_message(stage, "tool", source, content), "toolCallId": call}
    else:
        block = {"type": "tool-result", "toolCallId": call, "content": content}
        message = _message(stage, "user", source, [block])
    return {**_place(stage), "message": message}


def _result(stage: Stage) -> Raw:
    return _appended(stage, "tool/result", _outcome(stage))


def _picture(stage: Stage) -> Raw:
    """A message with two images."""
    size = {"bytes": 1, "width": 1, "height": 1}
    stored = {"attachmentId": f"a{stage.seq}", "mediaType": "image/png", **size}
    image = {"type": "image", "attachment": stored}
    source = {"kind": "user"}
    return _appended(stage, "user/message", _message(stage, "user", source, [image, image]))


def _offload(stage: Stage) -> Raw | None:
    if stage.format < 4:
        return None
    shown = [
        event["seq"]
        for event in stage.events
        if event["seq"] in stage.surface.nodes
        and event["type"] == "user/message"
        and len(event["data"]["content"]) > 1
    ]
    if not shown:
        return None
    target = {"seq": shown[stage.dice[0] % len(shown)], "imageIndexes": [stage.dice[1] % 2]}
    return _event(stage, "image/offload", {"targets": [target]})


def _summary(stage: Stage) -> Raw | None:
    """A message of the user in the place of a stretch."""
    first, last = stage.node(stage.dice[0]), stage.node(stage.dice[1])
    if first is None or last is None:
        return None
    return _replacing(stage, "user/message", _said(stage), first, last)


def _renewal(stage: Stage) -> Raw | None:
    """A system message in the place of another, mostly the one at the head."""
    node = stage.surface.nodes[0] if stage.surface.nodes else None
    if stage.format < 3 or node is None:
        return None
    return _replacing(stage, "system/message", _prompt(stage), node, node)


def _rewrite(stage: Stage) -> Raw | None:
    """A result with other content in the place of one."""
    found = [seq for seq in stage.surface.nodes if stage.events[seq]["type"] == "tool/result"]
    if not found:
        return None
    seq = found[stage.dice[0] % len(found)]
    data = stage.events[seq]["data"]
    message = {**data["message"]}
    if stage.format == 4:
        message["content"] = _content(stage)
    else:
        message["content"] = [{**message["content"][0], "content": _content(stage)}]
    return _replacing(stage, "tool/result", {**data, "message": message}, seq, seq)


def _note(stage: Stage) -> Raw:
    return _event(stage, "todo/write", {"todos": []})


def _unknown(stage: Stage) -> Raw:
    return _event(stage, "acme/note", {"turn": 1, "step": 1}, ignorable=True)


def _compaction(stage: Stage) -> Raw:
    data = {"compactionId": "k", "turn": 1}
    return _event(stage, "compaction/start", data)


def _turn_start(stage: Stage) -> Raw:
    return _event(stage, "turn/start", {"turn": _number(stage.dice[0])})


def _turn_end(stage: Stage) -> Raw:
    data = {"turn": _number(stage.dice[0]), "reason": {"kind": "completed"}}
    return _event(stage, "turn/end", data)


def _step_start(stage: Stage) -> Raw:
    return _event(stage, "step/start", _place(stage))


def _step_end(stage: Stage) -> Raw:
    return _event(stage, "step/end", _place(stage))


def _marker(stage: Stage) -> Raw:
    return _event(stage, "session/end-seed", {})


#: Shapes that move the surface.
SURFACE: tuple[Shape, ...] = (
    _user, _plain_answer, _result, _summary, _rewrite, _system, _renewal, _developer, _note, _user,
    _summary, _picture, _offload, _offload,
)  # fmt: skip
#: Shapes that open and close turns, steps and calls.
TURNS: tuple[Shape, ...] = (
    _turn_start, _step_start, _calling, _call, _result, _rewrite, _step_end, _turn_end, _note,
    _unknown, _compaction, _marker, _calling, _call, _step_start,
)  # fmt: skip

#: How a log begins that may have something open at its end.
OPENING: tuple[tuple[Shape, int, int], ...] = (
    (_turn_start, 0, 0),
    (_step_start, 0, 0),
    (_calling, 0, 1),
    (_call, 0, 0),
)
#: A log in which a call is named again, and then its old result is rewritten (EX8).
REWRITTEN: tuple[tuple[Shape, int, int], ...] = (
    *OPENING[:3],
    (_result, 0, 0),
    (_calling, 0, 0),
    (_rewrite, 0, 0),
)
#: A log in which a result names another step than its call (EX9).
MISPLACED: tuple[tuple[Shape, int, int], ...] = (*OPENING[:3], (_result, 0, 5))
#: A log that ends a turn, and then with the marker of a life.
MARKED: tuple[tuple[Shape, int, int], ...] = (
    (_turn_start, 0, 0),
    (_turn_end, 0, 0),
    (_marker, 0, 0),
)
#: A log whose first message has an image that is out of sight.
PICTURED: tuple[tuple[Shape, int, int], ...] = ((_picture, 0, 0), (_offload, 0, 0))
#: A log in which a stretch runs from a greater seq to a smaller one.
TURNED: tuple[tuple[Shape, int, int], ...] = (
    (_user, 0, 0),
    (_user, 0, 0),
    (_user, 0, 0),
    (_summary, 0, 1),
    (_summary, 0, 1),
)
#: A log whose second event heads a window of it, and is then replaced together with the third.
HEADED: tuple[tuple[Shape, int, int], ...] = (
    (_user, 0, 0),
    (_system, 0, 0),
    (_user, 0, 0),
    (_summary, 1, 2),
)

_STEP = st.tuples(st.integers(0, 63), st.integers(0, 255), st.integers(0, 255))
_STEPS = st.lists(_STEP, max_size=MOST)


@st.composite
def small_logs(
    draw: st.DrawFn,
    version: Format,
    shapes: Sequence[Shape] = SURFACE + TURNS,
    first: Sequence[tuple[Shape, int, int]] = (),
) -> tuple[Raw, ...]:
    """Small logs of format *version* that begin with *first*; they shrink to that."""
    events: tuple[Raw, ...] = ()
    surface = Folded(nodes=(), replacements=())
    rest = [(shapes[which % len(shapes)], one, two) for which, one, two in draw(_STEPS)]
    for shape, one, two in (*first, *rest):
        stage = Stage(format=version, events=events, surface=surface, dice=(one, two))
        event = shape(stage)
        found = None if event is None else fold((*events, event), format=version)
        if event is not None and found is not None and not isinstance(found, Refusal):
            events, surface = (*events, event), found
    return events
