"""The surface of a log of any format, or of a window of one.

Format v4 has the fold of :mod:`dsh_reference.surface`.
The formats before it know neither projections nor developer messages, and differ from it, and from
one another, in these points:

- which types stand on the surface (SURF-TYPES);
- what the ends of a replaced stretch are called (SURF-REPLACE-SHAPE);
- an answer of v0 and v1 may name sources, and an empty list says that its stream was empty
  (SRC-ASSISTANT-FORBID, SRC-EMPTY);
- a rewritten tool result keeps all but the content of its one block (SURF-TOOL-CONTENT-ONLY);
- v0 to v2 protect no system message at the head, and no unknown event from being looked at
  (SURF-SYSTEM-HEAD, SURF-UNKNOWN-IGNORABLE-OPAQUE);
- v0 to v2 look for the replaced stretch before they look at the sources.

Source: facts, surface §1.2 to §1.4, §1.8 and §1.10.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from attrs import field, frozen

from dsh_reference.messages import message_json, with_message
from dsh_reference.refusal import Refusal
from dsh_reference.session.past import Past, plan
from dsh_reference.session.refuse import refuse_event
from dsh_reference.session.typed import typed
from dsh_reference.surface import Replacement
from dsh_reference.surface import fold as fold_typed
from dsh_spec.catalogue import Format
from dsh_spec.values import Json, JsonObject


@frozen(kw_only=True)
class Folded:
    """What a log comes to for the model."""

    #: The nodes: seqs of message events, in the order in which the model sees them.
    nodes: tuple[int, ...]
    #: Every replacement of the log, in log order.
    replacements: tuple[Replacement, ...]
    #: How many replacements and projections there were; nothing before v4.
    content_generation: int | None = None
    #: The messages that projections changed, by the seq of their event.
    projected: Mapping[int, JsonObject] = field(factory=dict)

    @property
    def replace_generation(self) -> int:
        """How many replacements there were (SURF-GENERATIONS)."""
        return len(self.replacements)


def fold(events: Sequence[Json], *, format: Format, base_seq: int = 0) -> Folded | Refusal:  # noqa: A002 - the word of the specification
    """Return the surface of a log, or the first rule that it breaks.

    *base_seq* is the seq of the first event of *events*; what lies before it is no node.
    The refusal's kind is ``invalid-event``.

    Source: SURF-FOLD, SURF-SEQ-CONTIGUOUS, SURF-WINDOW, SURF-PREFIX, SURF-ATOMIC, and the rules of
    the functions it asks (facts: surface §1.3, §1.8, §1.9).
    """
    if format == 4:
        return _fold_newest(events, base_seq)
    nodes: list[int] = []
    replacements: list[Replacement] = []
    past = Past(format=format, events=events, base_seq=base_seq, nodes=nodes)
    for seq, event in enumerate(events, base_seq):
        if not isinstance(event, Mapping):
            return refuse_event(seq, "ENV-KEYS", "it is no object")
        if event.get("seq") != seq or isinstance(event.get("seq"), bool):
            return refuse_event(seq, "SURF-SEQ-CONTIGUOUS", f"the seq is not {seq}")
        match plan(event, past):
            case Refusal() as refusal:
                return refusal
            case "append":
                nodes.append(seq)
            case Replacement(shadowed_seqs=shadowed) as replacement:
                first = nodes.index(shadowed[0])
                nodes[first : first + len(shadowed)] = [seq]
                replacements.append(replacement)
    return Folded(nodes=tuple(nodes), replacements=tuple(replacements))


def _fold_newest(events: Sequence[Json], base_seq: int) -> Folded | Refusal:
    read = typed(events, base_seq)
    if isinstance(read, Refusal):
        return read
    found = fold_typed(read, base_seq)
    if isinstance(found, Refusal):
        return found
    projected = {
        seq: message_json(with_message(read[seq - base_seq], message))
        for seq, message in found.projected.items()
    }
    return Folded(
        nodes=found.nodes,
        replacements=found.replacements,
        content_generation=found.content_generation,
        projected=MappingProxyType(projected),
    )
