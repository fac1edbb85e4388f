"""A rule, whole, for people and for programs; and the list of them all."""

from collections.abc import Sequence

import attrs

from dsh_spec.catalogue import Rule, UnknownRule, rule
from dsh_spec.values import Json


def statement(slug: str) -> str:
    """Return the sentence of the rule called *slug*, or a remark when there is none."""
    found = _find(slug)
    return found.statement if found else "This rule is not in the catalogue."


def why(slug: str) -> str:
    """Return why the rule called *slug* is there, or nothing when there is none."""
    found = _find(slug)
    return found.why if found else ""


def _find(slug: str) -> Rule | None:
    try:
        return rule(slug)
    except UnknownRule:
        return None


def listing(rules: Sequence[Rule]) -> list[str]:
    """Return the rules as lines, grouped by area, each with its slug and its sentence."""
    width = max((len(each.slug) for each in rules), default=0)
    areas: dict[str, list[Rule]] = {}
    for each in rules:
        areas.setdefault(each.area, []).append(each)
    lines: list[str] = []
    for area, members in areas.items():
        lines += ["", area] if lines else [area]
        lines += [f"  {each.slug:<{width}}  {each.statement}" for each in members]
    return lines


def whole(each: Rule, sabotages: Sequence[str]) -> list[tuple[str, str]]:
    """Return all there is to say about a rule: pairs of a label and its text.

    *sabotages* are the names of the wrong implementations that break it.
    """
    fields = [
        ("rule", each.slug),
        ("says", each.statement),
        ("why", each.why),
        ("level", each.level),
        ("holds", _holds(each)),
        ("checked by", f"the {each.track} track, area {each.area}"),
        ("needs", ", ".join(each.needs)),
        ("proven by", ", ".join(sabotages) or "no sabotage yet"),
        ("source", each.source),
    ]
    return [(label, text) for label, text in fields if text]


def _holds(each: Rule) -> str:
    """Return for which formats and seams the rule holds."""
    until = "" if each.until is None else f" to v{each.until}"
    formats = f"format v{each.since}{until or ' and later'}"
    if each.since == each.until:
        formats = f"format v{each.since} alone"
    return formats if each.seam is None else f"{formats}; the {each.seam} seam alone"


def as_json(each: Rule, sabotages: Sequence[str]) -> dict[str, Json]:
    """Return all there is to say about a rule as a JSON object."""
    return {**attrs.asdict(each), "needs": list(each.needs), "sabotages": list(sabotages)}
