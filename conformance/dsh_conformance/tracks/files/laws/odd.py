"""Laws, one for each rule: an odd or damaged file is read, or refused, as the rule says.

Each rule has a law of its own, so that each has its share of the runs, the larger the more kinds
of files show it.
A log is good for several files.
"""

from collections.abc import Sequence
from typing import TypeAlias

from hypothesis import strategies as st

from dsh_conformance.generate.files import KINDS, Kind, Specimen, bases
from dsh_conformance.generate.tape import Tape
from dsh_conformance.tracks.files.asking import to_read
from dsh_conformance.tracks.files.claims import Spot, claimed
from dsh_conformance.tracks.files.laws.reading import checks
from dsh_conformance.tracks.pure.law import Law, Trial
from dsh_spec.values import JsonObject

#: The kinds of files that show a rule, each with the formats and encodings that have it.
_Ways: TypeAlias = Sequence[tuple[Kind, Sequence[Spot]]]
#: How many files are made of one log at most.
_FILES = 3
#: What a rule weighs beside the kinds of files that show it.
_LEAST = 6
_STRIP = st.binary(max_size=12)


def ways(rule: str, spots: Sequence[Spot]) -> _Ways:
    """Return the kinds of files that show a rule in the formats and encodings of a reader."""
    found = [(kind, _spots(kind, spots)) for kind in KINDS if kind.rule == rule]
    return [(kind, possible) for kind, possible in found if possible]


def _spots(kind: Kind, spots: Sequence[Spot]) -> Sequence[Spot]:
    newest = max((version for version, _ in spots), default=0)
    return [
        (version, compression)
        for version, compression in spots
        if version in kind.formats
        and compression in kind.compressions
        and not (kind.migrating and version == newest)
    ]


def _cases(each: _Ways) -> st.SearchStrategy[Sequence[Specimen]]:
    # The kinds are no argument of it: Hypothesis would spell them out.
    @st.composite
    def drawn(draw: st.DrawFn) -> Sequence[Specimen]:
        kind, spots = each[draw(st.sampled_from(range(len(each))))]
        spot = draw(st.sampled_from(spots))
        basis = draw(bases(*spot))
        others = [other for other, at in each if spot in at and other is not kind]
        chosen = [kind]
        if others:
            more = st.lists(st.sampled_from(range(len(others))), max_size=_FILES - 1, unique=True)
            chosen += [others[at] for at in draw(more)]
        made = [one.of(basis, Tape(draw(_STRIP))) for one in chosen]
        return [specimen for specimen in made if specimen is not None]

    return drawn()


def check(trial: Trial, specimens: Sequence[Specimen]) -> None:
    """Read the files and look at what comes of them."""
    for specimen in specimens:
        trial.call(
            "files/read",
            to_read(specimen),
            *checks(specimen.rule, specimen.outcome),
            says=f"read a file of v{specimen.format}{_in(specimen)}: {specimen.says}",
        )


def _in(specimen: Specimen) -> str:
    return " in Zstandard" if specimen.compression == "zstd" else ""


def _law(rule: str) -> Law[Sequence[Specimen]]:
    def cases(claims: JsonObject) -> st.SearchStrategy[Sequence[Specimen]] | None:
        found = ways(rule, claimed(claims))
        return _cases(found) if found else None

    count = sum(kind.rule == rule for kind in KINDS)
    return Law(name=f"odd-{rule.lower()}", cases=cases, check=check, weight=_LEAST + count)


#: The laws.
ODD: tuple[Law[Sequence[Specimen]], ...] = tuple(
    _law(rule) for rule in dict.fromkeys(kind.rule for kind in KINDS)
)
