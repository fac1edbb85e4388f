"""Law: a log lies where its header says, and nowhere else.

The ids and directories are those that tools have mixed up, and any other.
"""

from collections.abc import Iterator, Sequence

from attrs import frozen
from hypothesis import strategies as st

from dsh_conformance.generate.formats import Format
from dsh_conformance.generate.headers import DIRECTORIES, draw_header
from dsh_conformance.generate.state import Raw
from dsh_conformance.generate.strings import ids, texts
from dsh_conformance.tracks.files.asking import to_place
from dsh_conformance.tracks.files.claims import Spot, claimed
from dsh_conformance.tracks.files.expecting import PathPart
from dsh_conformance.tracks.files.places import place
from dsh_conformance.tracks.pure.law import Law, Trial
from dsh_conformance.tracks.store.expect import Accepted, Check, Equals
from dsh_reference.files import Compression
from dsh_spec.values import JsonObject

#: Working directories of which the facts say what they become.
_WORKED = ("/", "/work/x y", "/a//b", "/a/../b", "/-x", "/a:b\\c", "/---", "//", "/~", "/A")
#: Ids that an escape could lead out of their directory.
_IDS = (".", "..", "...", "../../x", "a/b", "~002E", "-", "con", "\ud83d", "😀", "\x00")


@frozen(kw_only=True)
class Case:
    """A header, and the encoding of its log."""

    #: The logical header.
    header: JsonObject
    #: The encoding.
    compression: Compression


@st.composite
def _cases(draw: st.DrawFn, spots: Sequence[Spot]) -> Case:
    version, compression = draw(st.sampled_from(spots))
    header = _header(draw, version)
    return Case(header=header, compression=compression)


def _header(draw: st.DrawFn, version: Format) -> Raw:
    identity = draw(st.one_of(ids(), st.sampled_from(_IDS), texts().filter(bool)))
    header = {**draw_header(draw, identity, seeded=False), "version": version}
    header.setdefault("delegationDepth", 0)
    if draw(st.booleans()):
        cwd = st.one_of(st.sampled_from(_WORKED), st.sampled_from(DIRECTORIES), texts())
        directory = draw(cwd)
        header["cwd"] = directory if directory.startswith("/") else f"/{directory}"
    return header


def cases(claims: JsonObject) -> st.SearchStrategy[Case] | None:
    """Headers of logs of the claimed formats."""
    spots = claimed(claims)
    return _cases(spots) if spots else None


def check(trial: Trial, case: Case) -> None:
    """Ask where the log lies."""
    says = f"ask where the log of session {case.header['id']!r} lies"
    trial.call("files/path", to_place(case.header, case.compression), *_checks(case), says=says)


def _checks(case: Case) -> Iterator[Check]:
    parts = place(case.header, case.compression)
    yield Check("FILE-LAYOUT", Accepted())
    rules = ("FILE-PROJECT-KEY", "FILE-SEGMENT", "FILE-NAME")
    for at, rule in enumerate(rules):
        yield Check(rule, PathPart(at, parts[at]))
    yield Check("FILE-LAYOUT", Equals(("path",), "/".join(parts)))


#: The law.
PLACING: Law[Case] = Law(name="placing", cases=cases, check=check, weight=40)
