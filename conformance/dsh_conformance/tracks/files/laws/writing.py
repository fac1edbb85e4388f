"""Law: what is written is the log, in the form that its format and encoding have.

What was written is looked at here, and then read by the implementation itself.
"""

from base64 import b64decode
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from attrs import frozen
from hypothesis import strategies as st

from dsh_conformance.generate.files.basis import physical
from dsh_conformance.generate.files.rows import note
from dsh_conformance.generate.formats import Format, logs
from dsh_conformance.generate.tape import Tape
from dsh_conformance.implementation.outcome import Ok, Outcome
from dsh_conformance.tracks.files.asking import to_write
from dsh_conformance.tracks.files.claims import Spot, claimed
from dsh_conformance.tracks.files.expecting import (
    WritesFrames,
    WritesHeader,
    WritesLog,
    WritesRows,
    WritesSources,
)
from dsh_conformance.tracks.pure.law import Law, Trial
from dsh_conformance.tracks.store.expect import Accepted, Check, Equals, HeaderIs
from dsh_reference.files import Compression
from dsh_reference.session_log import SessionLog
from dsh_spec.values import Json, JsonObject

_ROUND = "FILE-ROUND-TRIP"
#: From this many numbers on a run is written as a pair.
_MIN_RUN = 3


@frozen(kw_only=True)
class Case:
    """A log and how it is written."""

    #: The log.
    log: SessionLog
    #: The encoding.
    compression: Compression
    #: The events, batch by batch; a batch may be empty.
    batches: Sequence[Sequence[JsonObject]]

    @property
    def format(self) -> Format:
        """The log's format."""
        return self.log.format


@st.composite
def _cases(draw: st.DrawFn, spots: Sequence[Spot]) -> Case:
    version, compression = draw(st.sampled_from(spots))
    log = draw(logs(version, max_batches=3))
    tape = Tape(draw(st.binary(max_size=40)))
    events = [*log.events, *_citing(len(log.events), tape)]
    batches: list[list[JsonObject]] = []
    for event in events:
        if not batches or tape.rarely(3):
            batches.append([])
        if tape.rarely(8):
            batches.append([])
        batches[-1].append(event)
    log = SessionLog(header=log.header, inherited=log.inherited, events=tuple(events))
    return Case(log=log, compression=compression, batches=batches)


def _citing(seq: int, tape: Tape) -> Iterator[JsonObject]:
    """Give some events more that cite others; none on a tape of zeros."""
    for at in range(seq, seq + tape.pick(6)):
        seqs = [source for source in range(at) if tape.pick(5)]
        turned = seqs[::-1] if tape.rarely(4) else seqs
        yield note(at, sourceEventSeqs=turned) if seqs else note(at)


def cases(claims: JsonObject) -> st.SearchStrategy[Case] | None:
    """Logs of the claimed formats, to be written in the claimed encodings."""
    spots = claimed(claims)
    return _cases(spots) if spots else None


def check(trial: Trial, case: Case) -> None:
    """Write the log, look at the file, and have it read."""
    says = f"write a log of v{case.format} with {len(case.log.events)} events"
    asked = to_write(case.log, case.compression, case.batches)
    written = trial.call("files/write", asked, *_checks(case), says=says)
    text = _text(written)
    if text is None:
        return
    events = [*case.log.events]
    trial.call(
        "files/read",
        {"format": case.format, "compression": case.compression, "base64": text},
        Check(_ROUND, Equals(("events",), events)),
        Check(_ROUND, HeaderIs(("header",), case.log.header)),
        Check(_ROUND, Equals(("inheritedEventCount",), case.log.inherited)),
        Check(_ROUND, Equals(("torn",), False)),  # noqa: FBT003
        Check(_ROUND, Equals(("committedBytes",), len(b64decode(text)))),
        says="read the file",
    )


def _text(outcome: Outcome) -> str | None:
    match outcome:
        case Ok({"base64": str(text)}):
            return text
    return None


def _checks(case: Case) -> Iterator[Check]:
    compression, events = case.compression, case.log.events
    yield Check(_ROUND, Accepted())
    yield Check("HDR-ORDER", WritesHeader(compression, tuple(physical(case.log))))
    cited = [event["sourceEventSeqs"] for event in events if "sourceEventSeqs" in event]
    if cited and case.format > 0:
        yield Check("SRCPACK-ENCODE", WritesSources(compression, tuple(map(ranges, cited))))
    if compression == "zstd":
        yield Check("FRAME-BATCH", WritesFrames(tuple(len(b) for b in case.batches if b)))
    if case.format > 1:
        yield Check("ROW-KINDS", WritesRows(compression, len(events)))
    log = case.log
    yield Check(_ROUND, WritesLog(compression, case.format, log.header, log.inherited, log.events))


def ranges(seqs: Json) -> Json:
    """Return what stands in a row for a list of seqs (facts: events §1.6)."""
    assert isinstance(seqs, list | tuple)
    numbers = [seq for seq in seqs if isinstance(seq, int)]
    if any(left >= right for left, right in pairwise(numbers)):
        return seqs
    packed: list[Json] = []
    # What stays the same within a run is how far a number is ahead of its place.
    for _, run in groupby(enumerate(numbers), key=lambda each: each[1] - each[0]):
        members = [seq for _, seq in run]
        packed += [[members[0], members[-1]]] if len(members) >= _MIN_RUN else members
    return packed


#: The law.
WRITING: Law[Case] = Law(name="writing", cases=cases, check=check, weight=60)
