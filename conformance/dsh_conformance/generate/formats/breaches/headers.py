"""Headers and cuts that no log of their format has.

Source: facts events §2; migration §1.1, §2.1, §3.1; rules HDR-EXACT, CUT-V0V1, MIG23-CUT,
MIG34-CUT, HDR-CWD-ABS.
"""

from collections.abc import Iterator
from typing import Any

from attrs import evolve

from dsh_conformance.generate.formats.breaches.breach import Breach, NearMiss, Write
from dsh_conformance.generate.formats.draft import Draft
from dsh_conformance.generate.formats.state import Past
from dsh_reference.session_log import SessionLog
from dsh_spec.refusals import RefusalKind

_CORRUPT = RefusalKind.CORRUPT


def _with(**members: Any) -> Write:
    return lambda draft: evolve(draft.log, header={**draft.header, **members})


def _unseeded(draft: Draft) -> SessionLog | None:
    if not draft.header["isSeeded"]:
        return None
    return evolve(draft.log, header={**draft.header, "isSeeded": False}, inherited=0)


def _seeded(draft: Draft) -> SessionLog | None:
    if draft.header["isSeeded"]:
        return None
    return evolve(draft.log, header={**draft.header, "isSeeded": True})


def _beyond(draft: Draft) -> SessionLog | None:
    if not draft.header["isSeeded"]:
        return None
    return evolve(draft.log, inherited=len(draft.events) + 1)


#: Members that no header of any format has so.
_WRONG: tuple[tuple[str, dict[str, Any]], ...] = (
    ("header with another member", {"acme": 1}),
    ("creation at a fraction", {"createdAt": 0.5}),
    ("creation before 1970", {"createdAt": -1}),
    ("negative depth", {"delegationDepth": -1}),
    ("another origin", {"origin": "agent"}),
    ("null parent", {"parentSession": None}),
    ("preset that is a number", {"agentPreset": 1}),
    ("relative directory", {"cwd": "w"}),
)


def breaches(version: Past) -> Iterator[Breach]:
    """Return the breaches of a format's headers, and of the cut that goes with them."""
    for name, members in _WRONG:
        write = _with(**members)
        rule = "HDR-CWD-ABS" if "cwd" in members else "HDR-EXACT"
        yield Breach(rule, name, write, noticed="header", kind=_CORRUPT)
    cut = {0: "CUT-V0V1", 1: "CUT-V0V1", 2: "MIG23-CUT", 3: "MIG34-CUT"}[version]
    if version < 2:
        yield Breach(cut, "cut beyond the end", _beyond, noticed="header", kind=_CORRUPT)
        return
    yield Breach(cut, "seeded log under an unseeded header", _unseeded)
    yield Breach(
        "CUT-V2PLUS", "unseeded log under a seeded header", _seeded, noticed="row", kind=_CORRUPT
    )


def near_misses(version: Past) -> Iterator[NearMiss]:
    """Return odd headers that are taken."""
    yield NearMiss("HDR-ORIGIN-DEPTH", "child of nobody", _with(origin="subagent"))
    yield NearMiss("MIG23-HDR", "nameless preset", _with(agentPreset=""))
    yield NearMiss("HDR-ORIGIN-DEPTH", "very deep", _with(delegationDepth=2**53 - 1))
    if version < 2:
        yield NearMiss("MIG01-HDR-LOGICAL", "seeded by nothing", _seeded)
