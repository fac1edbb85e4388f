"""Logs of the older formats, valid and broken, and of the present one in the same dress.

A log of an older format is written in the terms of format v4, whose beats it shares, and spelled as
its format spells things.  What format v4 has no terms for has beats of its own: chunks that are
events, prompts in request headers, restarts, and what format v0 said in its early days.
"""

from dsh_conformance.generate.formats.breaches import Breach, NearMiss, breaches, near_misses
from dsh_conformance.generate.formats.broken import Broken, Odd, broken_logs, odd_logs
from dsh_conformance.generate.formats.families import Family, families
from dsh_conformance.generate.formats.logs import FORMATS, Format, drafts, logs
from dsh_conformance.generate.formats.numbered import numbered
from dsh_conformance.generate.formats.state import Past

__all__ = [
    "FORMATS",
    "Breach",
    "Broken",
    "Family",
    "Format",
    "NearMiss",
    "Odd",
    "Past",
    "breaches",
    "broken_logs",
    "drafts",
    "families",
    "logs",
    "near_misses",
    "numbered",
    "odd_logs",
]
