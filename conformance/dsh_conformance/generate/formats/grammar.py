"""Which beats a session of each older format has, and how their batches are written."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

from dsh_conformance.generate.beats import Beat, Ranking, messages, records, surface, tools, turns
from dsh_conformance.generate.beats import requests as asked
from dsh_conformance.generate.formats.messages import speaking
from dsh_conformance.generate.formats.records import recording
from dsh_conformance.generate.formats.state import Past
from dsh_conformance.generate.formats.writer import PastWriter
from dsh_conformance.generate.tape import Tape

#: What settles a batch: a byte for each beat, the particulars of all beats, and old spellings.
Batch: TypeAlias = tuple[bytes, bytes, bytes]

#: How many beats a batch has at most.
BEATS = 4
#: How many bytes settle the particulars of one beat.
PARTICULARS = 16
#: How many bytes settle how the events of one beat are spelled.
WHIMS = 6
#: By how many ms the clock moves from event to event; wall clocks step backwards (F27).
_PACES = (0, 1, 1, 60_000, -7)


def _named(beats: tuple[Beat, ...], *names: str) -> tuple[Beat, ...]:
    found = {beat.name: beat for beat in beats}
    return tuple(found[name] for name in names)


_SURFACE = (*("rewrite", "splice", "compaction starts", "compaction sums up", "compaction ends"),)
_RECORDS = ("inbox", "title", "title request", "command", "command done")


def _ranking(version: Past) -> Ranking:
    newer = version == 3
    beats = (
        *turns.BEATS,
        *(_named(messages.BEATS, "head", "system message") if newer else ()),
        *speaking(version),
        *tools.BEATS,
        *_named(surface.BEATS, *_SURFACE),
        *_named(asked.BEATS, "request context", "retry", "retry starts"),
        *recording(version),
        *_named(records.BEATS, *_RECORDS),
        *((*_named(records.BEATS, "child listed"),) if newer else ()),
        *((*_named(surface.BEATS, "image offload"),) if newer else ()),
    )
    return Ranking(beats, harmless="plugin event")


#: The beats of each older format.
RANKINGS: Mapping[Past, Ranking] = MappingProxyType(
    {0: _ranking(0), 1: _ranking(1), 2: _ranking(2), 3: _ranking(3)}
)


def write_batch(batch: Batch, writer: PastWriter) -> None:
    """Write the batch that these bytes settle; zeros make it one simplest event."""
    ranking, (beats, particulars, whims) = RANKINGS[writer.state.format], batch
    before = len(writer.events)
    for slot, byte in enumerate(beats):
        beat = ranking.next_beat(byte, writer.state)
        if beat is not None:
            tape = Tape(particulars[slot * PARTICULARS : (slot + 1) * PARTICULARS])
            writer.whims = Tape(whims[slot * WHIMS : (slot + 1) * WHIMS])
            writer.pace = tape.one_of(_PACES)
            beat.write(writer, tape)
    if len(writer.events) == before:
        writer.whims = Tape(b"")
        ranking.simplest_beat(writer.state).write(writer, Tape(b""))
