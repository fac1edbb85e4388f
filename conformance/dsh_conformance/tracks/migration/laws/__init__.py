"""The laws of the migration track."""

from typing import Any

from dsh_conformance.tracks.migration.laws.broken import BROKEN
from dsh_conformance.tracks.migration.laws.children import CHILDREN
from dsh_conformance.tracks.migration.laws.odd import ODD
from dsh_conformance.tracks.migration.laws.packed import PACKED
from dsh_conformance.tracks.migration.laws.requests import REQUESTS
from dsh_conformance.tracks.migration.laws.result import RESULT
from dsh_conformance.tracks.pure.law import Law

#: All of them, in the order in which they are tried.
LAWS: tuple[Law[Any], ...] = (RESULT, CHILDREN, REQUESTS, PACKED, *BROKEN, *ODD)
