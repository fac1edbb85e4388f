"""Laws of the fold: whole logs, their beginnings, and windows of them.

Source: facts surface-repair-fork §1.3, §1.8, §1.9, Q1 to Q10.
"""

from collections.abc import Iterator
from typing import Any

from attrs import evolve, frozen
from hypothesis import strategies as st

from dsh_conformance.generate.formats import Format, logs
from dsh_conformance.generate.state import Raw
from dsh_conformance.tracks.core.asking import Asked, asking
from dsh_conformance.tracks.core.claims import claimed, one_of
from dsh_conformance.tracks.core.known import folded, surface_of
from dsh_conformance.tracks.core.small import HEADED, PICTURED, SURFACE, TURNED, TURNS, small_logs
from dsh_conformance.tracks.pure.law import Law, Trial
from dsh_conformance.tracks.store.expect import Accepted, Check, Equals, RefusedAs
from dsh_reference.refusal import Refusal
from dsh_reference.session import Folded, fold
from dsh_spec.events import surface_types
from dsh_spec.values import JsonObject

_FOLD = "core/fold"
#: What nobody interprets on an event that nobody knows.
OPAQUE: tuple[Raw, ...] = (
    {"surfaceOp": "prepend"},
    {"surfaceOp": None, "sourceEventSeqs": None},
    {"surfaceOp": {"op": "replace", "startSeq": 0, "endSeq": 9_999}, "sourceEventSeqs": [9_999]},
    {"sourceEventSeqs": "all"},
)


@st.composite
def some_logs(draw: st.DrawFn, versions: tuple[Format, ...]) -> Asked:
    """Logs that have a surface: small ones, and what authors write."""
    version = draw(one_of(versions))
    if draw(st.integers(0, 2)) < 2:
        first = draw(st.sampled_from(((), (), (), PICTURED, TURNED, TURNED[:4])))
        shapes = draw(st.sampled_from((SURFACE, SURFACE + TURNS)))
        return Asked(format=version, events=draw(small_logs(version, shapes, first)))
    events: Any = draw(logs(version, max_batches=4, early=False)).events
    return Asked(format=version, events=events)


def cases(claims: JsonObject) -> st.SearchStrategy[Asked] | None:
    """Logs of the claimed formats."""
    versions = claimed(claims)
    return some_logs(versions) if versions else None


def check(trial: Trial, asked: Asked) -> None:
    """Fold a log, then a beginning of it, and then it with an event that nobody knows."""
    surface = surface_of(asked)
    trial.call(_FOLD, asked.params(), *surface_checks(asked, surface), says=f"fold {asked}")
    if len(asked.events) < 2:
        return
    part = evolve(asked, events=asked.events[: len(asked.events) // 2])
    expected = _whole("SURF-PREFIX", surface_of(part))
    trial.call(_FOLD, part.params(), *expected, says=f"fold the first half of {asked}")
    expected = _whole("SURF-PREFIX", surface)
    trial.call(_FOLD, asked.params(), *expected, says=f"fold {asked} again")
    if asked.format >= 3:
        _check_stranger(trial, asked, surface)


def _check_stranger(trial: Trial, asked: Asked, surface: Folded) -> None:
    seq = len(asked.events)
    stranger = {"type": "acme/note", "seq": seq, "time": 0, "data": None, "ignorable": True}
    longer = evolve(asked, events=(*asked.events, stranger | OPAQUE[seq % len(OPAQUE)]))
    expected = _whole("SURF-UNKNOWN-IGNORABLE-OPAQUE", surface)
    says = f"fold {asked} and an event that nobody knows"
    trial.call(_FOLD, longer.params(), *expected, says=says)


def surface_checks(asked: Asked, surface: Folded) -> Iterator[Check]:
    """Give what rules demand of a surface."""
    nodes = Equals(("nodes",), list(surface.nodes))
    types = {event["type"] for event in asked.events}
    if any(_is_unsorted(event) for event in asked.events):
        yield Check("SRC-EARLIER", Accepted())
    if not surface.replacements:
        yield Check("SURF-TYPES", nodes)
    if _is_turned(surface):
        yield Check("SURF-REPLACE-ORDER", nodes)
    if types & surface_types(asked.format) and any("ignorable" in e for e in asked.events):
        yield Check("IGN-UNKNOWN-V4" if asked.format == 4 else "SURF-FOLD", nodes)
    generations: list[Check] = [
        Check("SURF-GENERATIONS", Equals(("replaceGeneration",), surface.replace_generation))
    ]
    if asked.format == 4:
        count = surface.content_generation
        generations.append(Check("SURF-GENERATIONS", Equals(("contentGeneration",), count)))
    yield from generations
    if "image/offload" in types:
        yield Check("IMG-EFFECT", nodes)
    yield Check("SURF-FOLD", nodes)
    shadowed = folded(surface)["replacements"]
    yield Check("SURF-SHADOWED", Equals(("replacements",), shadowed))


def _is_unsorted(event: Raw) -> bool:
    """Tell whether an event names its sources in no order."""
    sources = event.get("sourceEventSeqs")
    return isinstance(sources, list) and sources != sorted(sources)


def _is_turned(surface: Folded) -> bool:
    """Tell whether a stretch ran from a greater seq to a smaller one."""
    return any(each.start > each.end for each in surface.replacements)


def _whole(rule: str, surface: Folded) -> Iterator[Check]:
    for key, value in folded(surface).items():
        yield Check(rule, Equals((key,), value))


#: The law of whole logs.
WHOLE: Law[Asked] = Law(name="fold", cases=cases, check=check, weight=30)


@frozen(kw_only=True)
class Window:
    """A part of a log."""

    #: The log.
    asked: Asked
    #: The seq at which the part begins.
    base: int
    #: By how much the base that is told is wrong.
    off: int

    @property
    def events(self) -> tuple[Raw, ...]:
        """The events of the part."""
        return self.asked.events[self.base :]


@st.composite
def _windows(draw: st.DrawFn, versions: tuple[Format, ...]) -> Window:
    version = draw(one_of(versions))
    if draw(st.integers(0, 3)) == 0:
        asked = Asked(format=version, events=draw(small_logs(version, SURFACE, HEADED)))
        return Window(asked=asked, base=1, off=0)
    asked = Asked(format=version, events=draw(small_logs(version, SURFACE)))
    base = draw(st.integers(0, max(0, len(asked.events) - 1)))
    off = draw(st.sampled_from((0, 0, 0, 0, 0, 1, -1)))
    return Window(asked=asked, base=base, off=off)


def window_cases(claims: JsonObject) -> st.SearchStrategy[Window] | None:
    """Parts of logs of the claimed formats."""
    versions = claimed(claims)
    return _windows(versions) if versions else None


def check_window(trial: Trial, window: Window) -> None:
    """Fold a part of a log under its base, or under one that is not its own."""
    asked, base = window.asked, window.base + window.off
    params = asking(asked.format, window.events, baseSeq=max(0, base))
    says = f"fold {asked} from event {window.base} on"
    if window.off and window.events and base >= 0:
        expected = Check("SURF-SEQ-CONTIGUOUS", RefusedAs())
        trial.call(_FOLD, params, expected, says=f"{says} as if from {base}")
        return
    params = asking(asked.format, window.events, baseSeq=window.base)
    trial.call(_FOLD, params, *_window_checks(window), says=says)


def _window_checks(window: Window) -> Iterator[Check]:
    surface = fold(window.events, format=window.asked.format, base_seq=window.base)
    if isinstance(surface, Refusal):
        is_head = surface.rule == "SURF-SYSTEM-HEAD"
        yield Check("WIN-SYSTEM-HEAD" if is_head else "SURF-WINDOW", RefusedAs())
        return
    yield from _whole("SURF-WINDOW", surface)


#: The law of windows.
WINDOWS: Law[Window] = Law(name="window", cases=window_cases, check=check_window, weight=40)
