"""Law: a file in any legal layout is read as the log that was laid out.

A packed row is told from a plain one by its members, and packed seqs from a list by what they
stand for; what is left of a difference is a matter of lines or frames.
"""

from collections.abc import Iterator, Sequence

from attrs import frozen
from hypothesis import strategies as st

from dsh_conformance.generate.files import Basis, Reads, Specimen, whole
from dsh_conformance.generate.files.specimen import cut_rule
from dsh_conformance.tracks.files.asking import to_read
from dsh_conformance.tracks.files.claims import Spot, claimed
from dsh_conformance.tracks.files.laws.reading import checks
from dsh_conformance.tracks.pure.law import Law, Trial
from dsh_conformance.tracks.store.expect import Accepted, Check, Counts, Equals, HeaderIs, Picks
from dsh_conformance.tracks.store.picking import picked
from dsh_spec.values import JsonObject

_CHUNKS = ("assistant/chunk",)
_CHUNK = ("seq", "time", "data")
_EVERY = ("*",)
_SOURCES = ("sourceEventSeqs",)


@frozen(kw_only=True)
class Case:
    """A whole file."""

    #: How it is laid out.
    basis: Basis
    #: The file.
    specimen: Specimen


@st.composite
def _cases(draw: st.DrawFn, spots: Sequence[Spot]) -> Case:
    basis, specimen = draw(whole(*draw(st.sampled_from(spots))))
    return Case(basis=basis, specimen=specimen)


def cases(claims: JsonObject) -> st.SearchStrategy[Case] | None:
    """Files in the claimed formats and encodings."""
    spots = claimed(claims)
    return _cases(spots) if spots else None


def check(trial: Trial, case: Case) -> None:
    """Read the file and look at what is in it."""
    specimen = case.specimen
    frames = f" in {1 + len(case.basis.batches)} frames" if _is_framed(specimen) else ""
    trial.call(
        "files/read",
        to_read(specimen),
        *_checks(case),
        says=f"read a file of v{specimen.format} with {len(case.basis.rows)} rows{frames}",
    )


def _checks(case: Case) -> Iterator[Check]:
    basis, outcome = case.basis, case.specimen.outcome
    assert isinstance(outcome, Reads)
    events = outcome.events
    if _is_framed(case.specimen) and len(basis.batches) > 1:
        yield Check("FRAME-ALL", Accepted())
        yield Check("FRAME-ALL", Counts(len(events), len(events)))
    if any(row.count > 1 for row in basis.rows):
        values = tuple(picked(events, _CHUNKS, _CHUNK))
        yield Check("CHUNKROW-EXPAND", Picks(_CHUNKS, _CHUNK, values))
    if any("sourceEventSeqs" in event for event in events):
        rule = "SRCPACK-DECODE-V0V1" if basis.format < 2 else "SRCPACK-DECODE-V2PLUS"
        yield Check(rule, Picks(_EVERY, _SOURCES, tuple(picked(events, _EVERY, _SOURCES))))
    if basis.log.header["isSeeded"] is True:
        yield Check(cut_rule(basis.format), Equals(("inheritedEventCount",), outcome.inherited))
    if basis.format < 2:
        yield Check("MIG01-HDR-LOGICAL", HeaderIs(("header",), outcome.header))
    yield from checks(case.specimen.rule, outcome)


def _is_framed(specimen: Specimen) -> bool:
    return specimen.compression == "zstd"


#: The law.
WHOLE: Law[Case] = Law(name="whole", cases=cases, check=check, weight=60)
