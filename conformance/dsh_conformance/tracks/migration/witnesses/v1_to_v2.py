"""What shows the rules of the edge from v1 to v2.

Source: facts migration §2.
"""

from collections.abc import Mapping
from functools import partial

from dsh_conformance.tracks.migration.attempts import Sight, sights_of
from dsh_conformance.tracks.migration.sights import (
    Part,
    Shows,
    always,
    has,
    inherits,
    marked,
    refers,
    restarts,
    seeded,
)
from dsh_conformance.tracks.migration.witness import Witness, picks, shown_in
from dsh_reference.session_log import SessionLog

_v1 = shown_in(1)

#: Where events refer to others.
REFERENCES = (
    "sourceEventSeqs",
    "surfaceOp",
    "data.shadowedRange",
    "data.shadowedSeqs",
    "data.messageSeqs",
    "data.sourceEventSeq",
    "data.targets.*.seq",
)

_STREAMS = picks("assistant/*", "type", "data.stream")
_ORDER = picks("*", "type", "time")


def _streams(sight: Sight) -> Shows:
    return partial(_sees, sight)


def _sees(sight: Sight, log: SessionLog) -> bool:
    return sight in sights_of(log)


def _changes_goal(event: Part) -> bool:
    source = event["data"].get("source")
    return isinstance(source, Mapping) and "change" in source


WITNESSES: tuple[Witness, ...] = (
    _v1("MIG12-DENSE", has("assistant/chunk"), "dense"),
    _v1("MIG12-RESTART", restarts, picks("turn/end", "time", "data")),
    _v1(
        "MIG12-GOAL-SPLIT",
        marked(_changes_goal, "user/message"),
        picks("goal/change user/message", "type", "time", "data.source", "data.goal"),
    ),
    _v1("MIG12-CUT-MARKER", seeded, picks("session/end-seed", "seq", "time", "data")),
    _v1("MIG12-CUT-COUNT", inherits(has("assistant/chunk")), "cut"),
    _v1("MIG12-ATTEMPT-SPLIT", _streams("split"), _STREAMS),
    _v1("MIG12-ATTEMPT-START", _streams("alone"), picks("assistant/*", "type")),
    _v1("MIG12-SETTLE-EMPTY", _streams("empty"), _STREAMS),
    _v1(
        "MIG12-ATTEMPT-CLOSE",
        _streams("closed"),
        picks("assistant/* step/end turn/end llm/retry llm/retry-started", "type"),
    ),
    _v1("MIG12-UNCLAIMED", _streams("unclaimed"), picks("assistant/attempt", "time", "surfaceOp")),
    _v1("MIG12-ATTEMPT-EXTEND", _streams("let out"), _ORDER),
    _v1("MIG12-BUFFER", _streams("held back"), _ORDER),
    _v1("MIG12-REC-RAW", _streams("raw"), picks("assistant/*", "data.stream.*.chunk")),
    _v1("MIG12-REC-JOIN", _streams("joined"), picks("assistant/*", "data.stream.*.dt")),
    _v1(
        "MIG12-SETTLE",
        _streams("settled"),
        picks("assistant/message", "data.stream.*.type", "sourceEventSeqs"),
    ),
    _v1("MIG12-REC", _streams("recorded"), _STREAMS),
    _v1("MIG12-REFS", refers, picks("*", *REFERENCES)),
    _v1(
        "MIG12-DELIVERY",
        has("session-log-deepseek/delivery-accepted"),
        picks("session-log-deepseek/delivery-accepted", "data"),
    ),
    _v1("MIG12-TIME", has("assistant/chunk"), _ORDER),
    _v1("MIG12-HDR", always, "header"),
)
