"""Beats that change what a model sees: rewrites, prunes, compactions and offloaded images.

Source: facts surface-repair-fork §1 (SURF-*) and §1.9b; events §4.6; rules SURF-TOOL-CONTENT-ONLY,
REL-COMPACT-*, SURF-REPLACE-COVERAGE, PL-SHADOW-ENDPOINTS.
"""

from dsh_conformance.generate.beats.beat import Beat
from dsh_conformance.generate.beats.messages import user_message
from dsh_conformance.generate.state import Raw, State, tie
from dsh_conformance.generate.strings import TEXTS
from dsh_conformance.generate.tape import Tape
from dsh_conformance.generate.voice import text
from dsh_conformance.generate.writer import Writer, images

#: How many nodes back a rewrite or an offload reaches: a choice costs the same in a long session.
_REACH = 12


def _rewritable(state: State) -> tuple[Raw, ...]:
    """Return the results that may be rewritten.

    A result that says that its call never started keeps its words: they are part of the repair.
    """
    return tuple(
        node
        for node in state.nodes[-_REACH:]
        if node["type"] == "tool/result"
        and node["data"].get("error", {}).get("code") != "TOOL_NOT_STARTED"
    )


def _may_rewrite(state: State) -> bool:
    return state.turn_open and bool(_rewritable(state))


def _rewrite(writer: Writer, tape: Tape) -> None:
    """A result is shown with other content; everything else of it stays."""
    result = tape.one_of(_rewritable(writer.state))
    if tape.rarely(2):
        writer.emit("compaction/prune", _shadow([result], tape))
    message = {**result["data"]["message"], "content": writer.voice.blocks(tape)}
    data = {**result["data"], "message": message}
    more = result.get("sourceEventSeqs", ()) if tape.rarely(3) else ()
    cited = [seq for seq in more if seq != result["seq"]]
    writer.replace("tool/result", data, [result], cited)


def _shadow(nodes: list[Raw], tape: Tape) -> Raw:
    """Return what a metering event says of the nodes that are about to be replaced."""
    seqs = [node["seq"] for node in nodes]
    shadowed = {"start": seqs[0], "end": seqs[-1]}
    tokens = tape.one_of((0, 1, 100_000))
    return {"shadowedRange": shadowed, "shadowedSeqs": seqs, "shadowedTokenCount": tokens}


def _some(nodes: tuple[Raw, ...], tape: Tape) -> list[Raw]:
    """Choose neighbouring nodes, mostly the oldest, and keep a result with what comes before it.

    The oldest are what compactions take.  Once some are replaced, the next range starts at the node
    that replaced them, whose seq is greater than that of the range's end (F11).
    """
    first = tape.pick(len(nodes)) if tape.rarely(3) else 0
    last = first + tape.pick(len(nodes) - first)
    while first and nodes[first]["type"] == "tool/result":
        first -= 1
    while last + 1 < len(nodes) and nodes[last + 1]["type"] == "tool/result":
        last += 1
    return list(nodes[first : last + 1])


def _may_splice(state: State) -> bool:
    return bool(state.loose) and not state.calls


def _splice(writer: Writer, tape: Tape) -> None:
    """A message takes the place of others, without any bracket around it."""
    nodes = _some(writer.state.loose, tape)
    writer.replace("user/message", user_message(writer, tape), nodes)


def _may_compact(state: State) -> bool:
    return state.bracket is None and bool(state.loose) and not state.calls


def _compact(writer: Writer, tape: Tape) -> None:
    state = writer.state
    data: Raw = {"compactionId": f"k{state.seq}", "turn": state.open_turn}
    if state.commands and tape.rarely(2):
        data["sourceCommandId"] = tape.one_of(state.commands)
    writer.emit("compaction/start", data)


def _may_summarise(state: State) -> bool:
    bracket = state.compacting
    ready = bracket is not None and not bracket.summarised and not state.calls
    return ready and bool(state.loose)


def _summarise(writer: Writer, tape: Tape) -> None:
    """The summary, and at once the checkpoint message in place of what it sums up."""
    bracket, nodes = writer.state.compacting, _some(writer.state.loose, tape)
    assert bracket is not None
    words = tape.one_of(TEXTS)
    data = {**tie(bracket), "summary": [text(words)], **_shadow(nodes, tape)}
    data |= {"provider": "p", "model": "m"}
    if tape.rarely(3):
        data |= {"rawOutput": writer.voice.blocks(tape), "llmStreamCall": True, "maxTokens": 0}
    summary = writer.emit("compaction/summary", writer.embellished(tape, data))
    source = {"kind": "compact-checkpoint", **tie(bracket)}
    message = writer.message("user", [text(words)], source)
    writer.replace("user/message", message, nodes, [bracket.start, summary])


def _may_end(state: State) -> bool:
    return state.compacting is not None


def _end(writer: Writer, tape: Tape) -> None:
    """A compaction ends; without a summary it must say what went wrong."""
    bracket = writer.state.compacting
    assert bracket is not None
    data: Raw = {**tie(bracket), "turn": bracket.turn}
    if not bracket.summarised:
        data["error"] = tape.one_of(TEXTS)
    writer.emit("compaction/end", data)


def _visible(state: State) -> list[tuple[int, list[int]]]:
    """Return the nodes that show images, with the indexes of these."""
    found = []
    for node in state.nodes[-_REACH:]:
        if node["type"] in ("user/message", "tool/result"):
            shown = [each for each in images(node) if (node["seq"], each) not in state.offloaded]
            if shown:
                found.append((node["seq"], shown))
    return found


def _may_offload(state: State) -> bool:
    return bool(_visible(state))


def _offload(writer: Writer, tape: Tape) -> None:
    seq, shown = tape.one_of(_visible(writer.state))
    indexes = shown if tape.rarely(2) else [tape.one_of(shown)]
    writer.emit("image/offload", {"targets": [{"seq": seq, "imageIndexes": indexes}]})


BEATS = (
    Beat("rewrite", 3, _may_rewrite, _rewrite),
    Beat("splice", 3, _may_splice, _splice),
    Beat("compaction starts", 3, _may_compact, _compact),
    Beat("compaction sums up", 12, _may_summarise, _summarise),
    Beat("compaction ends", 6, _may_end, _end),
    Beat("image offload", 2, _may_offload, _offload),
)
