"""The laws of the core track."""

from typing import Any

from dsh_conformance.tracks.core.laws.admitting import ADMITTING
from dsh_conformance.tracks.core.laws.appending import APPENDING, HOSTILE
from dsh_conformance.tracks.core.laws.broken import BROKEN
from dsh_conformance.tracks.core.laws.closing import CLOSING
from dsh_conformance.tracks.core.laws.forking import FORKING
from dsh_conformance.tracks.core.laws.requests import REQUESTS
from dsh_conformance.tracks.core.laws.seeding import HOSTILE_SEEDS, SEEDING
from dsh_conformance.tracks.core.laws.shown import SHOWN
from dsh_conformance.tracks.core.laws.surface import WHOLE, WINDOWS
from dsh_conformance.tracks.core.laws.values import VALUES
from dsh_conformance.tracks.pure.law import Law

#: All of them, in the order in which they are tried.
LAWS: tuple[Law[Any], ...] = (
    WHOLE,
    WINDOWS,
    SHOWN,
    CLOSING,
    FORKING,
    APPENDING,
    SEEDING,
    REQUESTS,
    VALUES,
    ADMITTING,
    HOSTILE,
    HOSTILE_SEEDS,
    *BROKEN,
)
