"""How a file was written is told from its bytes."""

import pytest

from dsh_conformance.backends.zstd import Zstd
from dsh_conformance.implementation.capabilities import Artifacts
from dsh_conformance.tracks.store.batches import Batches, in_batches
from dsh_reference.files import batch_lines
from dsh_spec.values import JsonObject

EVENTS: tuple[JsonObject, ...] = tuple(
    {"type": "a/b", "seq": seq, "time": 0, "data": {}, "ignorable": True} for seq in range(3)
)
HEADER = b'{"type":"session"}\n'


def framed(*texts: bytes) -> bytes:
    return b"".join(map(Zstd().frame, texts))


ONE, TWO, REST = batch_lines(EVENTS), batch_lines(EVENTS[:1]), batch_lines(EVENTS[1:])
CASES: list[tuple[Artifacts, bytes, bool]] = [
    ("jsonl", HEADER + ONE, True),
    ("jsonl", HEADER + TWO, False),
    ("jsonl", HEADER + ONE + b"{", False),
    ("jsonl", HEADER + ONE[:-1], False),
    ("jsonl.zstd", framed(HEADER, ONE), True),
    ("jsonl.zstd", framed(HEADER, TWO, REST), False),
    ("jsonl.zstd", framed(HEADER + ONE), False),
    ("jsonl.zstd", framed(HEADER, ONE)[:-1], False),
]


@pytest.mark.parametrize(("artifacts", "content", "right"), CASES)
def test_one_batch_behind_the_header(artifacts: Artifacts, content: bytes, *, right: bool) -> None:
    assert in_batches(Batches(artifacts, (EVENTS,)), content, b"") is right


def test_batches_behind_what_was_kept() -> None:
    kept = framed(HEADER, TWO)
    whole = Batches("jsonl.zstd", (EVENTS[1:],), "kept", len(kept))
    assert in_batches(whole, kept + framed(REST), kept + b"torn")
    assert not in_batches(whole, framed(HEADER, ONE), kept + b"torn")
    assert not in_batches(whole, None, kept)
