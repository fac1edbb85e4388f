"""The real runtime and the reference judge damaged older files alike."""

from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from dsh_spec.catalogue import Format

FORMATS = st.sampled_from((0, 1, 2, 3))


@st.composite
def batches(draw: st.DrawFn) -> list[list[Any]]:
    """Records and empty turns: what no edge changes, and what a reader looks out for."""
    rows: list[Any] = []
    for turn in range(1, draw(st.integers(1, 3)) + 1):
        reason = {"reason": {"kind": "completed"}}
        made = [("turn/start", {"turn": turn}), ("turn/end", {"turn": turn, **reason})]
        records = [("feedback/record", {"text": "x"})] * draw(st.integers(0, 2))
        for type_, data in (made[0], *records, made[1]):
            rows.append({"type": type_, "seq": len(rows), "time": 0, "data": data})
    rows = rows[: draw(st.integers(1, len(rows)))]
    cut = draw(st.integers(0, len(rows)))
    return [batch for batch in (rows[:cut], rows[cut:]) if batch]


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


def judge(judge: Any, log: bytes, format: Format) -> None:  # noqa: A002
    """Ask both; what the migration refuses, or turns into another log, is not a matter of files."""
    real, ours = judge.real(log, format), judge.ours(log, format)
    assume(real != "unsupported-migration")
    assert ours == real


@given(data=st.data(), format=FORMATS, batches=batches())
def test_damaged_text_is_judged_alike(
    plain: Any,
    data: st.DataObject,
    format: Format,  # noqa: A002
    batches: Any,
) -> None:
    log = data.draw(damaged(plain.write(format, *batches)))
    # Only a store can judge an identity; the reference reads a file that has no place.
    assume(b'"id": "s1"' in log.split(b"\n", 1)[0])
    judge(plain, log, format)


@given(data=st.data(), format=FORMATS, batches=batches())
def test_damaged_frames_are_judged_alike(
    framed: Any,
    data: st.DataObject,
    format: Format,  # noqa: A002
    batches: Any,
) -> None:
    judge(framed, data.draw(damaged(framed.write(format, *batches))), format)
