"""Whole logs of every format, as values.

They shrink to an empty log under a bare header.
"""

from collections.abc import Sequence
from typing import Literal

from hypothesis import strategies as st

from dsh_conformance.generate.formats.draft import Draft
from dsh_conformance.generate.formats.grammar import (
    BEATS,
    PARTICULARS,
    WHIMS,
    Batch,
    write_batch,
)
from dsh_conformance.generate.formats.seeds import cut_at, inherit
from dsh_conformance.generate.formats.state import Past, PastState
from dsh_conformance.generate.formats.writer import PastWriter
from dsh_conformance.generate.headers import write_header
from dsh_conformance.generate.sessions import draw_seed, sessions
from dsh_conformance.generate.state import Raw
from dsh_conformance.generate.strings import IDS
from dsh_conformance.generate.tape import Tape
from dsh_reference.session_log import SessionLog

#: Every format.
Format = Literal[0, 1, 2, 3, 4]
#: The formats, the oldest first.
FORMATS: tuple[Literal[0], Literal[1], Literal[2], Literal[3], Literal[4]] = (0, 1, 2, 3, 4)

#: How many bytes settle the header, the beginning and the cuts of a log.
CHOICES = 24
#: The most batches that a log has by default, its inherited prefix aside.
_BATCHES = 8
#: The most batches that a parent has.
PARENT = 3
#: One in so many logs has inherited a prefix.
_SEEDED = 3
#: The times at which sessions begin, in ms since the epoch; the last leaves room for the clock.
_TIMES = (0, 1_700_000_000_000, -5, 2**53 - 10**9)

_BYTES = st.binary(min_size=BEATS, max_size=BEATS)
_PARTICULARS = st.binary(min_size=BEATS * PARTICULARS, max_size=BEATS * PARTICULARS)
_BATCH = st.tuples(_BYTES, _PARTICULARS, st.binary(min_size=BEATS * WHIMS, max_size=BEATS * WHIMS))
#: Without whims nothing is told in early words.
_MODERN = st.tuples(_BYTES, _PARTICULARS, st.just(b""))
_CHOICE = st.binary(min_size=CHOICES, max_size=CHOICES)


@st.composite
def logs(
    draw: st.DrawFn, version: Format, *, max_batches: int = _BATCHES, early: bool = True
) -> SessionLog:
    """Valid logs of format *version*: what its own writers could have left, and what migrates.

    They stop anywhere; a third of them have inherited a prefix.  They shrink to an empty log.
    Only if *early*, some events of v0 are told in the words of its early days, which whoever reads
    a file brings up to date: no session has ever folded them.
    """
    if version != 4:
        return draw(drafts(version, max_batches=max_batches, early=early)).log
    tape = Tape(draw(_CHOICE))
    return _current(draw, _header(tape, 4, seeded=tape.rarely(3)), max_batches)


@st.composite
def drafts(
    draw: st.DrawFn, version: Past, *, max_batches: int = _BATCHES, early: bool = True
) -> Draft:
    """Valid logs of an older format with the states between their events."""
    batch = _BATCH if early else _MODERN
    choice = draw(_CHOICE)
    parents = draw(st.lists(batch, max_size=PARENT)) if Tape(choice).rarely(_SEEDED) else []
    return write_draft(version, choice, parents, draw(st.lists(batch, max_size=max_batches)))


def write_draft(
    version: Past, choice: bytes, parents: Sequence[Batch], batches: Sequence[Batch]
) -> Draft:
    """Write the log that these bytes settle; zeros leave it empty, and so does the lack of them."""
    tape = Tape(choice)
    header = _header(tape, version, seeded=tape.rarely(_SEEDED))
    session: str = header["id"]
    author: str = header.get("parentSession", session) if header["isSeeded"] else session
    time = tape.one_of(_TIMES)
    state = PastState(time=time, format=version, session=session, author=author)
    writer, inherited = PastWriter(state), 0
    if header["isSeeded"]:
        for _ in range(1 + tape.rarely(3)):
            for batch in parents:
                write_batch(batch, writer)
            inherited = cut_at(writer, tape)
            writer = inherit(writer, inherited, tape)
        writer.know(author=session)
    for batch in batches:
        write_batch(batch, writer)
    states = (*writer.states, writer.state)
    return Draft(header=header, inherited=inherited, events=tuple(writer.events), states=states)


def _header(tape: Tape, version: Format, *, seeded: bool) -> Raw:
    header = write_header(tape, tape.one_of(IDS), seeded=seeded)
    header |= {"version": version, "delegationDepth": header.get("delegationDepth", 0)}
    if tape.rarely(6):
        header["agentPreset"] = "code"
    return header


def _current(draw: st.DrawFn, header: Raw, max_batches: int) -> SessionLog:
    if header["isSeeded"]:
        _, events, inherited = draw_seed(draw)
        return SessionLog(header=header, inherited=inherited, events=tuple(events))
    batches = draw(sessions(max_batches=max_batches)) if max_batches else []
    events = [event for batch in batches for event in batch]
    return SessionLog(header=header, inherited=0, events=tuple(events))
