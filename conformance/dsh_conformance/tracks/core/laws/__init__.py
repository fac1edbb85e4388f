"""The laws of the core track."""

from typing import Any

from attrs import evolve
from hypothesis.strategies import SearchStrategy

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
from dsh_conformance.tracks.core.methods import answered
from dsh_conformance.tracks.pure.law import Law
from dsh_spec.values import JsonObject


def _asking(law: Law[Any], *methods: str) -> Law[Any]:
    """Return the law without cases where none of the methods is claimed that it is about."""

    def cases(claims: JsonObject) -> SearchStrategy[Any] | None:
        return None if answered(claims).isdisjoint(methods) else law.cases(claims)

    return evolve(law, cases=cases)


#: All of them, in the order in which they are tried.
LAWS: tuple[Law[Any], ...] = (
    _asking(WHOLE, "core/fold"),
    _asking(WINDOWS, "core/fold"),
    _asking(SHOWN, "core/derive"),
    _asking(CLOSING, "core/closers"),
    _asking(FORKING, "core/fork"),
    _asking(APPENDING, "core/append"),
    _asking(SEEDING, "core/seed"),
    _asking(REQUESTS, "core/requestHeader", "core/requestContext", "core/toolHistory"),
    _asking(VALUES, "core/json"),
    _asking(ADMITTING, "core/admit", "core/fold", "core/closers", "core/fork"),
    _asking(HOSTILE, "core/append"),
    _asking(HOSTILE_SEEDS, "core/seed"),
    *BROKEN,
)
