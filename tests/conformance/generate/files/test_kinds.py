"""Every kind of odd or damaged file can be made, and the reference reads it as it has to."""

from base64 import b64encode
from collections import Counter
from hashlib import shake_128
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from dsh_conformance.generate.files import KINDS, Kind, Specimen
from dsh_conformance.generate.files.basis import lay_out
from dsh_conformance.generate.files.rows import end, mark, note
from dsh_conformance.generate.formats import Format
from dsh_conformance.generate.tape import Tape
from dsh_conformance.implementation.backend import Refuse
from dsh_conformance.implementation.outcome import Ok, Outcome, Refused
from dsh_conformance.implementation.reference import reference
from dsh_conformance.tracks.files.laws.reading import checks
from dsh_conformance.tracks.store.expect import holds
from dsh_reference.files import Compression
from dsh_reference.session_log import SessionLog
from dsh_spec.catalogue import rule

READ: Any = reference(Path("/"), {}).methods["files/read"]
#: How often each kind is made in each format and encoding that has it.
MANY = 6


def log(version: Format, *, seeded: bool) -> SessionLog:
    """Return a log of a few notes, and a turn that is no good one but for a reader of rows."""
    header = {"version": version, "id": "s1", "createdAt": 1, "isSeeded": seeded}
    events = [note(0), note(1), end(2), note(3)]
    inherited = 1 if seeded else 0
    if seeded and version >= 2:
        events[1] = mark(1)
    full = {**header, "delegationDepth": 0}
    return SessionLog(header=full, inherited=inherited, events=tuple(events))


def specimens(kind: Kind) -> list[Specimen]:
    """Make files of a kind, of empty logs and of some that are not."""
    made = (
        _made(kind, version, compression, number)
        for version in kind.formats
        for compression in kind.compressions
        for number in range(MANY)
    )
    return [each for each in made if each is not None]


def _made(kind: Kind, version: Format, compression: Compression, number: int) -> Specimen | None:
    whole = log(version, seeded=number % 2 == 1)
    if number == 0:
        whole = evolve(whole, events=())
    strip = shake_128(f"{kind.says}{number}".encode()).digest(32) if number > 2 else b""
    basis = lay_out(whole, compression, Tape(strip))
    return kind.of(basis, Tape(strip[::-1]))


def read(specimen: Specimen) -> Outcome:
    data = b64encode(specimen.data).decode()
    asked = {"format": specimen.format, "compression": specimen.compression, "base64": data}
    try:
        return Ok(READ(asked))
    except Refuse as refusal:
        return Refused(kind=refusal.kind, message=str(refusal), rule=refusal.rule)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.rule}: {kind.says}")
def test_a_kind_is_read_as_it_has_to_be(kind: Kind) -> None:
    found = specimens(kind)
    assert {each.format for each in found} == {*kind.formats}
    assert {each.compression for each in found} == {*kind.compressions}
    for specimen in found:
        outcome = read(specimen)
        for check in checks(specimen.rule, specimen.outcome):
            assert holds(check.expects, outcome, {}), (check, outcome)


def test_every_kind_is_of_a_rule_of_the_track() -> None:
    assert {rule(kind.rule).track for kind in KINDS} == {"files"}


def test_a_kind_is_told_from_the_others_by_rule_and_words() -> None:
    told = Counter((kind.rule, kind.says, kind.formats, kind.compressions) for kind in KINDS)
    twice = {key for key, count in told.items() if count > 1}
    # Several rows are no turn/end in the same way.
    assert {says for _, says, _, _ in twice} <= {
        "a turn/end that is no good row lies behind a line that is no JSON",
        "a turn/end that is no good row lies behind a gap",
    }


def test_kinds_hold_for_formats_of_their_rule() -> None:
    for kind in KINDS:
        each = rule(kind.rule)
        last = 4 if each.until is None else each.until
        assert all(each.since <= version <= last for version in kind.formats), kind
