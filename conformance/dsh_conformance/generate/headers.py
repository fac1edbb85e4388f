"""Logical session headers, of format v4 where nothing else is said.

Sources: facts events §2 (HDR-*); persistence §4.1 for the directories that share a name (F26).
"""

from hypothesis import strategies as st

from dsh_conformance.generate.payloads import SAFE
from dsh_conformance.generate.state import Raw
from dsh_conformance.generate.strings import IDS, TEXTS
from dsh_conformance.generate.tape import Draw, Tape

#: Absolute working directories; some share a directory name once they are escaped.
DIRECTORIES = (
    "/w",
    "/w/a-b/c",
    "/w/a/b-c",
    "/",
    "/w//x/../y/",
    "/w/a b~c",
    "/w/a:b\\c",
    "/w/\u00e9",
    "/w/e\u0301",
    "/w/😀",
    "/w/\ud83d",
    "/w/\x00\n\u2028",
    "/" + "y" * 300,
)
#: Times of creation, in ms since the epoch.
CREATED = (0, 1_700_000_000_000, 1, SAFE)

_STRIP = st.binary(min_size=8, max_size=8)


def draw_header(draw: Draw, session_id: str, *, seeded: bool) -> Raw:
    """Draw a valid header for *session_id*; shrinks to the members that are required."""
    return write_header(Tape(draw(_STRIP)), session_id, seeded=seeded)


def write_header(tape: Tape, session_id: str, *, seeded: bool, version: int = 4) -> Raw:
    """Write the header that *tape* settles; zeros leave only the members that are required."""
    header: Raw = {
        "version": version,
        "id": session_id,
        "createdAt": tape.one_of(CREATED),
        "isSeeded": seeded,
    }
    if tape.pick(3):
        header["cwd"] = tape.one_of(DIRECTORIES)
    if tape.rarely(3):
        header["parentSession"] = tape.one_of(IDS)
    if tape.rarely(3):
        header["origin"] = "subagent"
    if tape.pick(2):
        header["delegationDepth"] = tape.pick(3)
    if tape.rarely(3):
        header["agentPreset"] = tape.one_of(TEXTS)
    return header


@st.composite
def headers(draw: st.DrawFn, session_id: str = "s1", *, seeded: bool = False) -> Raw:
    """Valid headers for one session."""
    return draw_header(draw, session_id, seeded=seeded)
