"""The laws of the files track."""

from typing import Any

from dsh_conformance.tracks.files.laws.odd import ODD
from dsh_conformance.tracks.files.laws.placing import PLACING
from dsh_conformance.tracks.files.laws.whole import WHOLE
from dsh_conformance.tracks.files.laws.writing import WRITING
from dsh_conformance.tracks.pure.law import Law

#: All of them, in the order in which they are tried.
LAWS: tuple[Law[Any], ...] = (WHOLE, *ODD, WRITING, PLACING)
