"""Cited seqs in rows: what may stand for a list, and what stands for none.

Source: facts events §1.6; field report F13.
"""

from collections.abc import Callable, Iterator, Sequence

from dsh_conformance.generate.files.basis import Basis, lines
from dsh_conformance.generate.files.kind import PLAIN, Kind, Make
from dsh_conformance.generate.files.kinds.damage import torn
from dsh_conformance.generate.files.packing import pack_sources
from dsh_conformance.generate.files.rows import note
from dsh_conformance.generate.files.specimen import Made, reads
from dsh_conformance.generate.files.spelling import plain
from dsh_conformance.generate.formats import Format
from dsh_conformance.generate.state import Raw
from dsh_conformance.generate.tape import Tape
from dsh_spec.values import Json

_OLD: tuple[Format, ...] = (0, 1)
_SINCE_V2: tuple[Format, ...] = (2, 3, 4)
#: So many notes stand before the row that cites them.
_CITED = 9

#: What no list of sources is, in no format: a function of the row's seq.
_BAD: tuple[tuple[str, Callable[[int], Json]], ...] = (
    ("a pair that runs backwards", lambda _: [[1, 0]]),
    ("pairs that overlap", lambda _: [[0, 1], [1, 2]]),
    ("a pair behind a later seq", lambda _: [2, [0, 1]]),
    ("a pair of three", lambda _: [[0, 1, 2]]),
    ("a pair of one", lambda _: [[0]]),
    ("a pair beyond its own seq", lambda seq: [[0, seq]]),
    ("a huge pair", lambda _: [[0, 2**53 - 1]]),
    ("words for a list", lambda _: "0"),
    ("null for a list", lambda _: None),
    ("a seq in words", lambda _: ["0"]),
    ("a fraction of a seq", lambda _: [0.5]),
    ("a seq below zero", lambda _: [-1]),
    ("a pair of pairs", lambda _: [[[0, 1], [0, 1]]]),
)
#: What is none since v2, and before that a list that the migration refuses.
_LATER: tuple[tuple[str, Callable[[int], list[int]]], ...] = (
    ("a seq twice", lambda _: [0, 0]),
    ("its own seq", lambda seq: [seq]),
    ("a later seq", lambda seq: [seq + 1]),
)


def _packed(basis: Basis, tape: Tape) -> Made:
    """Cite some of the events before, in any packing."""
    notes = [note(basis.count + at) for at in range(_CITED)]
    seq = basis.count + _CITED
    chosen = [at for at in range(seq) if tape.pick(4)] or [0]
    row = note(seq, sourceEventSeqs=pack_sources(chosen, tape))
    return _cited(basis, notes, row, chosen)


def _all(basis: Basis, _: Tape) -> Made:
    """Cite all events before in one pair (F13)."""
    notes = [note(basis.count + at) for at in range(_CITED)]
    seq = basis.count + _CITED
    row = note(seq, sourceEventSeqs=[[0, seq - 1]])
    return _cited(basis, notes, row, range(seq))


def _unsorted(basis: Basis, _: Tape) -> Made:
    """A list without a pair may be in any order."""
    notes = [note(basis.count + at) for at in range(3)]
    seq = basis.count + 3
    chosen = [seq - 1, 0, seq - 2]
    return _cited(basis, notes, note(seq, sourceEventSeqs=chosen), chosen)


def _cited(basis: Basis, notes: Sequence[Raw], row: Raw, seqs: Sequence[int]) -> Made:
    event = {**row, "sourceEventSeqs": list(seqs)}
    body = lines(map(plain, (*notes, row)))
    return reads(basis, basis.file(body), more=[*notes, event])


def _bad(sources: Callable[[int], Json]) -> Callable[[int, Tape], bytes]:
    return lambda seq, _: plain(note(seq, sourceEventSeqs=sources(seq)))


def _without_seq(seq: int, tape: Tape) -> bytes:
    """A row of no place, with a range that would fill the memory of whoever expands it first."""
    row = note(seq, sourceEventSeqs=[[0, 2**53 - 1]])
    wrong: tuple[Json, ...] = (-1, 0.5, str(seq), None, [seq])
    return plain({**row, "seq": tape.one_of(wrong)})


def _odd(sources: Callable[[int], list[int]]) -> Make:
    def make(basis: Basis, _: Tape) -> Made | None:
        seqs = sources(basis.count)
        if len(seqs) > basis.count:
            return None
        row = note(basis.count, sourceEventSeqs=seqs)
        return reads(basis, basis.file(lines([plain(row)])), more=[row])

    return make


def kinds() -> Iterator[Kind]:
    """Return them."""
    for rule, formats in (("SRCPACK-DECODE-V0V1", _OLD), ("SRCPACK-DECODE-V2PLUS", _SINCE_V2)):
        yield Kind(rule, "packed sources", _packed, formats)
        yield Kind(rule, "all sources in one pair", _all, formats)
        yield Kind(rule, "sources in another order", _unsorted, formats)
        for says, sources in _BAD:
            yield Kind(rule, f"{says} for sources", torn(_bad(sources)), formats, PLAIN)
    for says, later in _LATER:
        bad = torn(_bad(later))
        yield Kind("SRCPACK-DECODE-V2PLUS", f"{says} among the sources", bad, _SINCE_V2, PLAIN)
        yield Kind("SRCPACK-DECODE-V0V1", f"{says} among the sources", _odd(later), _OLD)
    says = "a huge range in a row without a valid seq"
    yield Kind("SRCPACK-SEQ-FIRST", says, torn(_without_seq), compressions=PLAIN)
