"""Corners of the edges: odd and broken logs that show one rule which few other logs show.

They are written as the breaches and near misses of the generators are.
"""

from dsh_conformance.tracks.migration.corners.broken import corner_breaches
from dsh_conformance.tracks.migration.corners.odd import corner_near_misses

__all__ = ["corner_breaches", "corner_near_misses"]
