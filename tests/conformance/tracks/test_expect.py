"""Every expectation holds of a right answer and of no wrong one."""

from typing import Any

import pytest

from dsh_conformance.implementation.host import PLANTED
from dsh_conformance.implementation.outcome import Ok, Outcome, Refused
from dsh_conformance.tracks.store.expect import (
    Accepted,
    AcceptedOrRefusedAs,
    CountIfGiven,
    Counts,
    Dense,
    Equals,
    Expectation,
    Extends,
    HeaderIs,
    Ids,
    Inside,
    Keeps,
    ListedAs,
    Located,
    NewRevision,
    NoClosers,
    PrefixOf,
    RefusedAs,
    SameBytes,
    SameRevision,
    Untouched,
    holds,
)
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json

HEADER: dict[str, Any] = {"version": 4, "id": "s1", "createdAt": 1, "isSeeded": False}
BINDINGS: dict[str, Json | bytes] = {"r": "7", "old": b"abc", "artifact": b"abcd"}
START: dict[str, Json] = {"type": "turn/start", "seq": 0}
END: dict[str, Json] = {
    "type": "turn/end",
    "seq": 1,
    "data": {"turn": 1, "reason": {"kind": "interrupted"}},
}


def read(*events: Any) -> Ok:
    return Ok({"events": list(events)})


def snapshot(**members: Any) -> Ok:
    return Ok({"snapshot": {"header": HEADER, "revision": "7", **members}})


def listed(*headers: Any, revision: str = "7") -> Ok:
    return Ok({"snapshots": [{"header": h, "revision": revision} for h in headers]})


def refused(kind: str) -> Refused:
    return Refused(kind=RefusalKind(kind), message="no")


CLOSED = RefusedAs((RefusalKind.CLOSED,))
FREE = AcceptedOrRefusedAs((RefusalKind.CORRUPT,))
SNAPSHOT = ("snapshot",)

CASES: list[tuple[Expectation, Outcome, Outcome]] = [
    (Accepted(), Ok({}), refused("io")),
    (RefusedAs(), refused("io"), Ok({})),
    (CLOSED, refused("closed"), refused("read-only")),
    (FREE, refused("corrupt"), refused("closed")),
    (FREE, Ok({}), refused("closed")),
    (Equals(("a",), 1), Ok({"a": 1.0}), Ok({"a": True})),
    (Equals(("a",), None), Ok({"a": None}), Ok({"a": 0})),
    (HeaderIs((), HEADER), Ok({**HEADER, "delegationDepth": 0}), Ok({**HEADER, "cwd": "/"})),
    (Dense(0), read(START, END), read(START, START)),
    (Dense(1), read(END), read(START)),
    (Counts(1, 1), read(START), read()),
    (Counts(1, 1), read(START), read(START, END)),
    (PrefixOf((START, END)), read(START), read(END)),
    (Keeps(((0, "turn/start"),)), read(START, END), read(END)),
    (NoClosers(2), read(START, END), read(START, END, END)),
    (Untouched(PLANTED), read(START), read({**START, PLANTED: 1})),
    (CountIfGiven(SNAPSHOT, 2), snapshot(), snapshot(eventCount=1)),
    (CountIfGiven(SNAPSHOT, 2), snapshot(eventCount=2), snapshot(eventCount=3)),
    (Ids(("s1",)), listed(HEADER), listed()),
    (Ids(("s1",)), listed(HEADER), listed(HEADER, HEADER)),
    (ListedAs("s1", HEADER, "r"), listed(HEADER), listed(HEADER, revision="8")),
    (ListedAs("s1", HEADER, "r"), listed(HEADER), listed({**HEADER, "createdAt": 2})),
    (SameRevision(SNAPSHOT, "r"), snapshot(), snapshot(revision="8")),
    (NewRevision(SNAPSHOT, "r"), snapshot(revision="8"), snapshot()),
    (Located(), Ok({"bytes": 0}), Ok({"bytes": None})),
    (Inside(), Ok({"inside": True}), Ok({"inside": False})),
]


@pytest.mark.parametrize(("expects", "right", "wrong"), CASES)
def test_an_expectation_tells_right_from_wrong(
    expects: Expectation, right: Outcome, wrong: Outcome
) -> None:
    assert holds(expects, right, BINDINGS)
    assert not holds(expects, wrong, BINDINGS)


def test_bytes_are_compared_with_those_that_were_kept() -> None:
    assert not holds(SameBytes("old"), Ok({}), BINDINGS)
    assert holds(SameBytes("old"), Ok({}), {**BINDINGS, "artifact": b"abc"})
    assert holds(Extends("old", 3), Ok({}), BINDINGS)
    assert not holds(Extends("old", 3), Ok({}), {**BINDINGS, "artifact": b"abd"})
    assert holds(Extends("old", 2), Ok({}), {**BINDINGS, "artifact": b"abd"})
