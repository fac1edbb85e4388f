"""The real runtime and the reference judge damaged files alike."""

from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from dsh_conformance.generate.sessions import sessions


@st.composite
def damaged(draw: st.DrawFn, log: bytes) -> bytes:
    """A file cut off, with one byte changed, one too many, one too few, or with zeros behind."""
    at = draw(st.integers(0, len(log) - 1))
    match draw(st.sampled_from(("cut", "change", "insert", "remove", "zeros"))):
        case "cut":
            return log[:at]
        case "change":
            return log[:at] + bytes([log[at] ^ 1 << draw(st.integers(0, 7))]) + log[at + 1 :]
        case "insert":
            return log[:at] + draw(st.binary(min_size=1, max_size=1)) + log[at:]
        case "remove":
            return log[:at] + log[at + 1 :]
    return log + bytes(draw(st.integers(1, 9)))


@given(data=st.data(), batches=sessions(max_batches=3))
def test_damaged_text_is_judged_alike(plain: Any, data: st.DataObject, batches: Any) -> None:
    log = data.draw(damaged(plain.write(batches)))
    # Only a store can judge an identity; the reference reads a file that has no place.
    assume(b'"id": "s1"' in log.split(b"\n", 1)[0])
    assert plain.difference(log) is None


@given(data=st.data(), batches=sessions(max_batches=3))
def test_damaged_frames_are_judged_alike(framed: Any, data: st.DataObject, batches: Any) -> None:
    assert framed.difference(data.draw(damaged(framed.write(batches)))) is None
