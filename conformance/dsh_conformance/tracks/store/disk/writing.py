"""Files of logs as their writers leave them."""

from dsh_conformance.implementation.capabilities import Artifacts, compression_of
from dsh_conformance.logs.writing import log_bytes
from dsh_reference.session_log import SessionLog


def other(artifacts: Artifacts) -> Artifacts:
    """Return the encoding that it is not."""
    return "jsonl.zstd" if artifacts == "jsonl" else "jsonl"


def file_of(log: SessionLog, artifacts: Artifacts, first: int = 0) -> bytes:
    """Return the file of a log; its first so many events came in a batch of their own."""
    return log_bytes(log, compression_of(artifacts), first)
