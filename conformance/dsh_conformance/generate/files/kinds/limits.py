"""Files that are large, or become so.

A reader may have a limit and has to name it; what it must not do is show a part (F07).
"""

from collections.abc import Iterator

from dsh_conformance.generate.files.basis import Basis, lines
from dsh_conformance.generate.files.frames import MAX_BLOCK, frame_of_runs
from dsh_conformance.generate.files.kind import FRAMED, Kind
from dsh_conformance.generate.files.rows import note
from dsh_conformance.generate.files.specimen import Made, Reads, WholeOrRefuses, reads, refused
from dsh_conformance.generate.files.spelling import plain
from dsh_conformance.generate.tape import Tape
from dsh_spec.refusals import RefusalKind

#: How many characters the text of a large event has.
_LARGE = 1 << 20
#: How many events a long log has.
_LONG = 2000
#: How many bytes a bomb unpacks to.
_BOMB = 1 << 24


def _large_event(basis: Basis, tape: Tape) -> Made | None:
    body = "x" * (_LARGE >> tape.pick(4))
    return _whole(basis, [note(basis.count, data=body), note(basis.count + 1)])


def _many_events(basis: Basis, tape: Tape) -> Made | None:
    return _whole(basis, [note(basis.count + at) for at in range(_LONG >> tape.pick(4))])


def _many_sources(basis: Basis, _: Tape) -> Made | None:
    """Few bytes that stand for many numbers, in each of many rows."""
    notes = [note(basis.count + at) for at in range(200)]
    citing = [note(seq, sourceEventSeqs=[[0, seq - 1]]) for seq in _after(basis, 200, 100)]
    events = [{**event, "sourceEventSeqs": list(range(_seq(event)))} for event in citing]
    return _whole(basis, [*notes, *events], rows=[*notes, *citing])


def _bomb(basis: Basis, _: Tape) -> Made:
    """A small frame that unpacks to blanks without end, and never to a line."""
    blocks = [(b" ", MAX_BLOCK)] * (_BOMB // MAX_BLOCK)
    bomb = frame_of_runs(blocks)
    return refused(basis.file() + bomb, RefusalKind.CORRUPT, RefusalKind.OTHER, RefusalKind.IO)


def _after(basis: Basis, start: int, count: int) -> range:
    return range(basis.count + start, basis.count + start + count)


def _seq(event: dict[str, object]) -> int:
    seq = event["seq"]
    assert isinstance(seq, int)
    return seq


def _whole(basis: Basis, more: list, rows: list | None = None) -> Made | None:  # type: ignore[type-arg]
    body = lines(map(plain, more if rows is None else rows))
    every = reads(basis, basis.file(body), more=more)
    if not isinstance(every.outcome, Reads):
        return None
    return Made(data=every.data, outcome=WholeOrRefuses(events=every.outcome.events))


def kinds() -> Iterator[Kind]:
    """Return them."""
    yield Kind("FILE-LIMIT", "a large event", _large_event)
    yield Kind("FILE-LIMIT", "many events", _many_events)
    yield Kind("FILE-LIMIT", "many sources in few bytes", _many_sources)
    yield Kind("FILE-LIMIT", "a frame that unpacks without end", _bomb, compressions=FRAMED)
