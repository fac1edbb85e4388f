"""The catalogue of rules: each stands once, under a slug that everything else names it by.

The data is ``rules/AREA.toml``, a table for each rule, so that a reader in any language has it
whole.  This module only gives it a type: `rules` is all of it, area by area, `rule` is one.
The files are structured strictly: an unknown key, a missing one or a value of another type fails.
"""

import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, get_args

from attrs import frozen
from cattrs import Converter

#: The part of the specification that a rule belongs to, which is mostly also its chapter.
Area: TypeAlias = Literal[
    "log",
    "header",
    "json",
    "surface",
    "derivation",
    "repair",
    "fork",
    "session",
    "migration",
    "files",
    "store",
]
#: The areas in the order in which the catalogue lists their rules.
AREAS: tuple[Area, ...] = get_args(Area)
#: The track that checks a rule.
Track: TypeAlias = Literal["core", "store", "files", "migration"]
#: ``MUST`` is demanded of every implementation; ``MAY`` is allowed, and a check never fails on it.
Level: TypeAlias = Literal["MUST", "MAY"]
#: A format version.
Format: TypeAlias = Literal[0, 1, 2, 3, 4]
#: A store contract: ``store`` is addressed by id and repairs on load, ``handle`` is opened.
Seam: TypeAlias = Literal["handle", "store"]
#: What a check needs from the implementation or from the way in which it is driven.
Need: TypeAlias = Literal[
    "artifacts",
    "cancellation",
    "cross-process-lock",
    "durable",
    "hostile-values",
    "in-process",
    "inside",
    "layout",
    "migrates",
    "restart",
    "second-process",
]


@frozen(kw_only=True)
class Rule:
    """One rule."""

    #: The stable name: upper-case words and digits, joined by hyphens.
    slug: str
    #: One sentence in the present tense that a log or a run either satisfies or does not.
    statement: str
    #: The loss that it prevents.  ``F04`` and the like are the numbers of public field reports.
    why: str
    #: The part of the specification that it belongs to.
    area: Area
    #: The track that checks it.
    track: Track
    #: Where it was read or observed.
    source: str
    #: How much it binds.
    level: Level = "MUST"
    #: The first format that it holds for.
    since: Format = 0
    #: The last format that it holds for; nothing when it still holds.
    until: Format | None = None
    #: The only seam that it is stated for; nothing when it does not depend on a seam.
    seam: Seam | None = None
    #: What a check of it needs; without one of them the rule is not claimed.
    needs: tuple[Need, ...] = ()


@frozen
class UnknownRule(LookupError):  # noqa: N818 - named for what it says
    """No rule has that slug."""

    #: The slug that was asked for.
    slug: str
    #: The slugs that look most like it, best first; at most three.
    near: tuple[str, ...] = ()

    def __str__(self) -> str:
        hint = f" Did you mean {' or '.join(self.near)}?" if self.near else ""
        return f"no rule is called {self.slug!r}.{hint}"


def rules() -> tuple[Rule, ...]:
    """Return every rule, in the order of the catalogue."""
    return tuple(_catalogue().values())


def rule(slug: str) -> Rule:
    """Return the rule called *slug*; raises `UnknownRule` when there is none."""
    catalogue = _catalogue()
    try:
        return catalogue[slug]
    except KeyError:
        near = get_close_matches(slug.upper(), catalogue, n=3)
        raise UnknownRule(slug, tuple(near)) from None


def parse(text: str, *, area: Area) -> Mapping[str, Rule]:
    """Structure the text of one area's file; raises when it is not one."""
    tables = tomllib.loads(text).items()
    return MappingProxyType({slug: _structured(slug, area, table) for slug, table in tables})


def _structured(slug: str, area: Area, table: dict[str, Any]) -> Rule:
    return _CONVERTER.structure(dict(**table, slug=slug, area=area), Rule)


@cache
def _catalogue() -> Mapping[str, Rule]:
    catalogue: dict[str, Rule] = {}
    for area in AREAS:
        text = files("dsh_spec").joinpath("rules", f"{area}.toml").read_text(encoding="utf-8")
        for slug, rule_ in parse(text, area=area).items():
            if catalogue.setdefault(slug, rule_) is not rule_:
                raise ValueError(f"{slug} stands twice in the catalogue")
    return MappingProxyType(catalogue)


def _text(value: Any, _: type[str]) -> str:
    """Refuse what cattrs would turn into a string without a word."""
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no string")
    return value


_CONVERTER = Converter(forbid_extra_keys=True)
_CONVERTER.register_structure_hook(str, _text)
