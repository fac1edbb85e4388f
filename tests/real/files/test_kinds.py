"""The real runtime tells damage from odd files as every kind of file says.

These are the formats that it migrates; how it reads its own is for its certification to say.
"""

from hashlib import shake_128
from typing import Any

import pytest

from dsh_conformance.generate.files import KINDS, Kind, Refuses, Specimen
from dsh_conformance.generate.files.basis import lay_out
from dsh_conformance.generate.files.rows import mark
from dsh_conformance.generate.formats import Format
from dsh_conformance.generate.tape import Tape
from dsh_reference.files import Compression
from dsh_reference.session_log import SessionLog

OLDER: tuple[Format, ...] = (0, 1, 2, 3)
#: How many files of each kind are shown in each format and encoding.
MANY = 2


def log(version: Format, *, seeded: bool) -> SessionLog:
    """Return a log that migrates."""
    header = {"version": version, "id": "s1", "createdAt": 1, "isSeeded": seeded}
    events = (record(0), mark(1) if seeded and version >= 2 else record(1), record(2))
    full = {**header, "delegationDepth": 0}
    return SessionLog(header=full, inherited=1 if seeded else 0, events=events)


def record(seq: int) -> dict[str, Any]:
    return {"type": "feedback/record", "seq": seq, "time": 0, "data": {"text": "x"}}


def made(kind: Kind, version: Format, compression: Compression) -> list[Specimen]:
    found: list[Specimen | None] = []
    for number in range(MANY):
        strip = Tape(shake_128(f"{kind.says}{number}".encode()).digest(32) if number else b"")
        basis = lay_out(log(version, seeded=number == 1), compression, Tape(b""))
        found.append(kind.of(basis, strip))
    return [each for each in found if each is not None]


@pytest.mark.parametrize("version", OLDER)
@pytest.mark.parametrize("compression", ["none", "zstd"])
def test_damage_is_damage_to_the_real_runtime(
    version: Format, compression: Compression, request: pytest.FixtureRequest
) -> None:
    judge: Any = request.getfixturevalue("plain" if compression == "none" else "framed")
    differing: list[Any] = []
    for kind in KINDS:
        if version in kind.formats and compression in kind.compressions:
            for specimen in made(kind, version, compression):
                real = judge.real(specimen.data, version)
                if not _agree(specimen, real):
                    differing.append((kind.rule, kind.says, real, specimen.outcome))
    assert differing == []


def _agree(specimen: Specimen, real: int | str) -> bool:
    if isinstance(specimen.outcome, Refuses):
        return real in {str(kind) for kind in specimen.outcome.kinds}
    return isinstance(real, int) or real == "unsupported-migration"
