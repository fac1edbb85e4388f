"""Which broken and odd logs show which rule, so that each rule gets its share of the runs.

A breach names the rule that refuses it first; the same log may show a wider rule as well, or one
that says who is to refuse.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final, TypeAlias

from dsh_conformance.generate.formats import Breach, NearMiss, Past, breaches, near_misses
from dsh_conformance.tracks.migration.corners import corner_breaches, corner_near_misses
from dsh_spec.catalogue import rule

#: A way to break a log, or to make it odd, in a format.
Broken: TypeAlias = tuple[Past, Breach]
Odd: TypeAlias = tuple[Past, NearMiss]

_PAYLOADS: Final = frozenset({"MIG01-PAYLOAD", "MIG12-PAYLOAD", "MIG23-PAYLOAD"})
_WRAPPED: Final = ("message.role", "message.source", "content is []")
_FORMS: Final = ("'letter'", "'notice'", "'snapshot'", "'relay', 'summary'")


def _is_exact(_version: Past, breach: Breach) -> bool:
    return breach.rule in _PAYLOADS


def _is_form(_version: Past, breach: Breach) -> bool:
    return breach.rule in _PAYLOADS and any(form in breach.name for form in _FORMS)


def _is_wrapper(version: Past, breach: Breach) -> bool:
    if version == 3:
        return breach.rule == "MIG34-TOOL-LIFT"
    return breach.name.startswith("tool/result whose") and any(
        part in breach.name for part in _WRAPPED
    )


#: The wider rules, and which breaches show them too.
_WIDER: Mapping[str, Callable[[Past, Breach], bool]] = {
    "PL-EXACT": _is_exact,
    "SRC-FORM": _is_form,
    "TOOLMSG-V0V3": _is_wrapper,
    "SURF-OP-REPLACE-V0V1V2": lambda _, breach: breach.rule == "MIG23-ENDPOINTS",
    "MIG-SOURCE-KIND": lambda version, breach: (
        version == 1 and breach.name == "quotation from a format to come"
    ),
    "MIG-HEADER-CHECK": lambda _, breach: breach.rule.startswith("HDR-"),
    "MIG01-CUT": lambda _, breach: breach.rule == "CUT-V0V1",
    "MIG-TARGET-CHECK": lambda _, breach: (
        breach.noticed == "edge" and rule(breach.rule).track != "migration"
    ),
    "MIG-OPEN-TAIL": lambda _, breach: breach.rule in ("REL-TURN", "REL-STEP"),
    "MIG01-CURRENT-LOOKING": lambda _, breach: breach.name.startswith("early "),
    "MIG01-ENVELOPE-LAX": lambda version, breach: version == 0 and breach.rule == "MIG23-ENVELOPE",
    "MIG12-SURFACEOP-NOT-REQUIRED": lambda version, breach: (
        version < 2 and breach.rule == "MIG23-SURFACEOP-REQUIRED"
    ),
    "MIG12-GOAL-SPLIT": lambda _, breach: breach.rule == "SRC-GOAL-LEGACY",
    "MIG23-REFS": lambda version, breach: (
        version == 2 and breach.name == "range names the event itself"
    ),
}

#: The wider rules that odd logs show too.
_ODDER: Mapping[str, Callable[[Past, NearMiss], bool]] = {
    "MIG01-CHUNK-OPAQUE": lambda version, each: version == 0 and "CHUNK" in each.rule,
    "RD-CHUNK-UNCHECKED": lambda _, each: "CHUNK" in each.rule,
    "MIG01-OPEN-ARMS": lambda version, each: version == 0 and "rejected" in each.name,
}


@cache
def broken(versions: tuple[Past, ...]) -> Mapping[str, Sequence[Broken]]:
    """Return the ways to break logs of these formats, by the rule that they show."""
    strata: dict[str, list[Broken]] = {}
    for version, breach in _breaches(versions):
        if rule(breach.rule).track == "migration":
            strata.setdefault(breach.rule, []).append((version, breach))
        for slug, shows in _WIDER.items():
            if shows(version, breach):
                strata.setdefault(slug, []).append((version, breach))
    return strata


@cache
def odd(versions: tuple[Past, ...]) -> Mapping[str, Sequence[Odd]]:
    """Return the ways to make logs of these formats odd, by the rule that they show.

    What shows a rule of another track shows that the chain accepts all that it should.
    """
    strata: dict[str, list[Odd]] = {}
    for version in versions:
        for each in (*near_misses(version), *corner_near_misses(version)):
            if not _is_of_files(each):
                own = rule(each.rule).track == "migration"
                strata.setdefault(each.rule if own else "MIG-COMPOSE", []).append((version, each))
            for slug, shows in _ODDER.items():
                if shows(version, each):
                    strata.setdefault(slug, []).append((version, each))
    return strata


def _breaches(versions: tuple[Past, ...]) -> Iterator[Broken]:
    """Give what edges refuse, or whoever reads the header; a reader of rows is not asked here."""
    for version in versions:
        for breach in (*breaches(version), *corner_breaches(version)):
            if breach.noticed in ("edge", "header"):
                yield version, breach


def _is_of_files(each: NearMiss) -> bool:
    """Tell whether an odd log is one that a reader of rows cuts short."""
    return each.rule.startswith(("INV-RECOVER", "MIG-RECOVER"))
