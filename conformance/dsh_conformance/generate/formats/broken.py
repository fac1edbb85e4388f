"""Broken logs of older formats, and odd ones, each with what is wrong or odd about it."""

from collections.abc import Sequence

from attrs import frozen
from hypothesis import strategies as st

from dsh_conformance.generate.formats.breaches import Breach, NearMiss, breaches, near_misses
from dsh_conformance.generate.formats.logs import drafts
from dsh_conformance.generate.formats.state import Past
from dsh_reference.session_log import SessionLog


@frozen
class Broken:
    """A log that the chain refuses."""

    #: What was done to it.
    breach: Breach
    #: The log.
    log: SessionLog


@frozen
class Odd:
    """A log that looks broken, and that the chain accepts."""

    #: What is odd about it.
    near_miss: NearMiss
    #: The log.
    log: SessionLog


def broken_logs(version: Past) -> st.SearchStrategy[Broken]:
    """Logs of format *version* that are refused for the reason they name."""
    ways = breaches(version)
    return _changed(version, ways).map(lambda found: Broken(ways[found[0]], found[1]))


def odd_logs(version: Past) -> st.SearchStrategy[Odd]:
    """Logs of format *version* that look broken and migrate."""
    ways = near_misses(version)
    return _changed(version, ways).map(lambda found: Odd(ways[found[0]], found[1]))


@st.composite
def _changed(
    draw: st.DrawFn, version: Past, ways: Sequence[Breach] | Sequence[NearMiss]
) -> tuple[int, SessionLog]:
    """Choose a way, or the next one that is possible; some are possible in every log."""
    first = draw(st.integers(0, len(ways) - 1))
    draft = draw(drafts(version))
    for at in (*range(first, len(ways)), *range(first)):
        log = ways[at].write(draft)
        if log is not None:
            return at, log
    raise AssertionError(version)
