"""Specimens as a Hypothesis strategy: sound logs, spoilt ones, and files that end too soon."""

from collections.abc import Iterator

from attrs import evolve
from hypothesis import strategies as st

from dsh_conformance.differential.changes import changed, spoilt
from dsh_conformance.differential.specimen import COUNTING, Specimen
from dsh_conformance.generate.formats import FORMATS, Format, logs
from dsh_reference.files import Compression
from dsh_reference.session_log import SessionLog
from dsh_spec.values import Json, JsonObject

#: The most bytes that are missing at the end of a file.
_MISSING = 40

_COMPRESSIONS: tuple[Compression, ...] = ("none", "zstd")
_VERSIONS: st.SearchStrategy[Format] = st.sampled_from(FORMATS)

#: What a child's descriptor may be; the last two say nothing that a parent could list.
_DESCRIPTORS: tuple[JsonObject, ...] = (
    {"version": 1, "provider": "p", "label": "one"},
    {"version": 2, "provider": "p", "mode": "one-shot"},
    {"version": 3, "provider": "p", "mode": "continuable", "label": "three"},
    {"version": 3, "provider": "p", "mode": "continuable"},
    {"version": 9, "provider": "p"},
)


@st.composite
def specimens(draw: st.DrawFn, version: Format) -> Specimen:
    """Logs of a format: half of them are spoilt, a quarter may be torn or have children."""
    log = draw(logs(version))
    sound = Specimen(format=version, log=log, compression=draw(st.sampled_from(_COMPRESSIONS)))
    cuts = draw(st.lists(st.integers(0, len(log.events)), max_size=3, unique=True))
    sound = evolve(sound, cuts=tuple(sorted(cuts)))
    match draw(st.sampled_from(("sound", "spoilt", "spoilt", "special"))):
        case "spoilt":
            return evolve(sound, spoilt=True, log=draw(_spoilt(log)))
        case "special":
            return draw(_special(sound))
    return sound


@st.composite
def _spoilt(draw: st.DrawFn, log: SessionLog) -> SessionLog:
    ways = ["header"] if not log.events else ["events", "events", "header", "cut"]
    match draw(st.sampled_from(ways)):
        case "events":
            return evolve(log, events=tuple(draw(spoilt(list(log.events)))))
        case "cut":
            return evolve(log, inherited=draw(st.integers(0, len(log.events) + 1)))
    return evolve(log, header=draw(_header(log)))


@st.composite
def _header(draw: st.DrawFn, log: SessionLog) -> JsonObject:
    """A header with one member changed, but not one by which a store finds the file."""
    found = {"id", "cwd"}
    rest = draw(changed({key: value for key, value in log.header.items() if key not in found}))
    kept: dict[str, Json] = {key: value for key, value in log.header.items() if key in found}
    return {**rest, **kept}


@st.composite
def _special(draw: st.DrawFn, sound: Specimen) -> Specimen:
    match draw(st.sampled_from(("torn", "children", "packed"))):
        case "torn":
            size = len(sound.data)
            return evolve(sound, torn=draw(st.integers(0, min(size, _MISSING))))
        case "children" if sound.format < 4:
            count = draw(st.integers(1, 3))
            family = (draw(_child(number, sound.log.header)) for number in range(count))
            return evolve(sound, children=tuple(family))
        case "packed" if sound.format in COUNTING:
            return evolve(sound, packed=True)
    return sound


@st.composite
def _child(draw: st.DrawFn, number: int, parent: JsonObject) -> SessionLog:
    """A subagent's log; what it says of itself may be sound, missing, doubled or meaningless."""
    version = draw(_VERSIONS)
    log = draw(logs(version, max_batches=1))
    said = draw(st.lists(st.sampled_from(_DESCRIPTORS), max_size=2))
    start = len(log.events)
    descriptors: Iterator[JsonObject] = (
        {"type": "subagent/descriptor", "seq": start + seq, "time": 1, "data": each}
        for seq, each in enumerate(said)
    )
    child: JsonObject = {
        "id": f"child-{number}",
        "parentSession": parent["id"],
        "origin": "subagent",
    }
    header: JsonObject = {**log.header, **child, "createdAt": draw(st.integers(0, 2))}
    return evolve(log, header=header, events=(*log.events, *descriptors))
