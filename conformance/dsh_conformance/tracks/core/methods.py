"""Which methods a rule is asked of, for ports that answer only some of them.

An implementation may claim a part of the track: ``methods`` names what it answers, and without it
the claim is for all.  A rule is claimed where every method is that it takes to judge it.
"""

from collections.abc import Mapping
from typing import Final

from dsh_spec.catalogue import Rule
from dsh_spec.values import JsonObject

#: All methods of the track.
METHODS: Final = frozenset(
    f"core/{name}"
    for name in (
        "fold", "derive", "closers", "fork", "append", "seed", "requestHeader", "requestContext",
        "toolHistory", "json", "admit",
    )
)  # fmt: skip
#: What it takes to judge the rules of an area, but for those below.
_OF_AREA: Mapping[str, str] = {
    "surface": "core/fold",
    "derivation": "core/derive",
    "repair": "core/closers",
    "fork": "core/fork",
    "session": "core/append",
    "json": "core/json",
    "log": "core/admit",
    "header": "core/admit",
}
#: What it takes to judge a rule, where that is something else.
_OF_RULE: Mapping[str, tuple[str, ...]] = {
    "SURF-ATOMIC": ("core/append", "core/fold"),
    "SURF-HEAD-V4": ("core/admit",),
    "DEV-HEADER-REF": ("core/fold",),
    "DEV-HEADER-TOOL": ("core/fold",),
    "IGN-UNKNOWN-V4": ("core/fold",),
    "IGN-MEANING": ("core/derive",),
    "PROJ-REQUIRED": ("core/derive",),
    "PROJ-HEADER": ("core/requestHeader",),
    "PROJ-CONTEXT": ("core/requestContext",),
    "PROJ-TOOLHISTORY": ("core/toolHistory",),
    "REPAIR-ADMISSIBLE": ("core/admit", "core/derive"),
    "HDR-ID-MATCH": ("core/fork",),
    "HDR-IMMUTABLE": ("core/fork",),
    "FORK-DERIVE": ("core/fork", "core/derive"),
    "APP-ATOMIC": ("core/append", "core/derive"),
    "SEED-REPLAY": ("core/seed", "core/fold", "core/derive", "core/requestHeader"),
    "ENV-ACCEPTED-FROZEN": ("core/seed",),
    "HDR-LOSSLESS": ("core/seed",),
    "CUT-EXACT": ("core/seed",),
}


def answered(claims: JsonObject) -> frozenset[str]:
    """Return the methods that are claimed."""
    named = claims.get("methods")
    return METHODS if not isinstance(named, list | tuple) else METHODS & {*map(str, named)}


def needed(rule: Rule) -> frozenset[str]:
    """Return the methods without which a rule cannot be judged."""
    if rule.slug.startswith("SEED-") and rule.slug not in _OF_RULE:
        return frozenset({"core/seed"})
    return frozenset(_OF_RULE.get(rule.slug, (_OF_AREA[rule.area],)))


def lacking(rule: Rule, claims: JsonObject) -> str | None:
    """Say which method a rule needs that is not claimed, or nothing."""
    absent = sorted(needed(rule) - answered(claims))
    return f"needs {' and '.join(absent)}" if absent else None
