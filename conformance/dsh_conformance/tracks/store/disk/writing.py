"""Files of logs as their writers leave them."""

from collections.abc import Sequence

from dsh_conformance.backends.zstd import Zstd
from dsh_conformance.implementation.capabilities import Artifacts
from dsh_reference.files import Compression, batch_lines, header_line
from dsh_reference.session_log import SessionLog
from dsh_spec.catalogue import Format
from dsh_spec.values import JsonObject


def compression_of(artifacts: Artifacts) -> Compression:
    """Return the encoding as file names have it."""
    return "none" if artifacts == "jsonl" else "zstd"


def other(artifacts: Artifacts) -> Artifacts:
    """Return the encoding that it is not."""
    return "jsonl.zstd" if artifacts == "jsonl" else "jsonl"


def file_of(log: SessionLog, artifacts: Artifacts, first: int = 0) -> bytes:
    """Return the file of a log; its first so many events came in a batch of their own."""
    version = log.header["version"]
    assert version in (0, 1, 2, 3, 4)
    batches = [batch for batch in (log.events[:first], log.events[first:]) if batch]
    rows = [_packed(batch, artifacts, version) for batch in batches]  # type: ignore[arg-type]
    return b"".join([_framed(header_line(log.header, log.inherited), artifacts), *rows])


def _packed(batch: Sequence[JsonObject], artifacts: Artifacts, version: Format) -> bytes:
    return _framed(batch_lines(batch, format=version), artifacts)


def _framed(text: bytes, artifacts: Artifacts) -> bytes:
    return text if artifacts == "jsonl" else Zstd().frame(text)
