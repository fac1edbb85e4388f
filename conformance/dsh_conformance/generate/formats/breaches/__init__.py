"""Broken logs of the older formats, by the rule that refuses them, and near misses."""

from functools import cache

from dsh_conformance.generate.formats.breaches import (
    edges,
    envelopes,
    headers,
    legacy,
    members,
    newer,
    relations,
    restarts,
    streams,
    values,
    vocabulary,
)
from dsh_conformance.generate.formats.breaches.breach import Breach, NearMiss, Noticed
from dsh_conformance.generate.formats.state import Past

__all__ = ["Breach", "NearMiss", "Noticed", "breaches", "near_misses"]


@cache
def breaches(version: Past) -> tuple[Breach, ...]:
    """Return every way to break a log of format *version* that the project knows."""
    exact = (members, values) if version < 3 else ()
    themes = (
        *exact,
        vocabulary,
        envelopes,
        streams,
        legacy,
        edges,
        newer,
        relations,
        restarts,
        headers,
    )
    return tuple(each for theme in themes for each in theme.breaches(version))


@cache
def near_misses(version: Past) -> tuple[NearMiss, ...]:
    """Return what looks broken in a log of format *version* and is not."""
    exact = (members, values) if version < 3 else ()
    themes = (*exact, vocabulary, envelopes, streams, legacy, edges, newer, restarts, headers)
    return tuple(each for theme in themes for each in theme.near_misses(version))
