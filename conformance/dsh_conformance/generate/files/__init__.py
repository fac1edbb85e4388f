"""Log files as they lie on disk: whole ones in every legal spelling, odd ones and damaged ones.

A file is put together here from a log, with none of the reference's code for files.
What must be read in it is known from how it was made: before a bad row lie as many events as were
put there.
So a reader is never its own judge.
"""

from dsh_conformance.generate.files.basis import Basis, bases
from dsh_conformance.generate.files.kind import Kind
from dsh_conformance.generate.files.kinds import KINDS
from dsh_conformance.generate.files.specimen import (
    Outcome,
    Reads,
    Recovers,
    Refuses,
    Specimen,
    WholeOrRefuses,
)
from dsh_conformance.generate.files.whole import whole

__all__ = [
    "KINDS",
    "Basis",
    "Kind",
    "Outcome",
    "Reads",
    "Recovers",
    "Refuses",
    "Specimen",
    "WholeOrRefuses",
    "bases",
    "whole",
]
