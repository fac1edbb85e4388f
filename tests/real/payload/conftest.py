"""The judge of payloads: whether the real runtime's first edge refuses an event of an old log.

A log holds the event behind a few good ones.  The runtime may well refuse it later, for what stands
around the event or for what a newer format wants; only the first edge checks the payload as it was.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from dsh_conformance.implementation.connection import Connection
from dsh_conformance.implementation.dsh import launcher
from dsh_conformance.implementation.outcome import Refused
from dsh_reference.payload import Released, check_payload
from dsh_reference.values import dump
from dsh_spec.events import surface_types

Raw: TypeAlias = dict[str, Any]

#: The seq of the event in question.
SEQ = 5
_NAMES = {0: "session.jsonl", 1: "session.v1.jsonl", 2: "session.v2.jsonl"}
_PLAN = ("plan/mode", {"active": True})
_BEFORE = (("turn/start", {"turn": 1}), ("step/start", {"turn": 1, "step": 1}), *[_PLAN] * 3)
#: Refusals of the payload check that do not name their edge.
_BARE = ("uses unsupported descriptor version", "current-generation delivery marker names")
#: What the first edge refuses besides, which is no matter of the payload check.
_OTHER = (
    "data.stream[",
    "malformed pre-react-loop",
    "delivery marker claims target format",
    "error metadata for a non-error",
    "inherited end-seed marker",
    'kind "file"',
)
#: What the first edge mends before it checks the payload.
_MENDED = {
    ("llm/retry", "retryId"),
    ("compaction/start", "compactionId"),
    ("turn/end", "reason"),
}


class Judge:
    """The real runtime on one workspace."""

    def __init__(self, connection: Connection, workspace: Path) -> None:
        self._connection = connection
        self._directory = workspace / "_no-cwd" / "s1"

    def message(self, format_: Released, type_: str, data: Any, **header: Any) -> str:
        """Return what the runtime says of a log with the event, or nothing if it opens it."""
        first: Raw = {"type": "session", "version": format_, "id": "s1", "createdAt": 1}
        first |= {"delegationDepth": 0} | ({"isSeeded": False} if format_ == 2 else {}) | header
        rows: list[Raw] = [
            {"type": a, "seq": at, "time": 1, "data": b} for at, (a, b) in enumerate(_BEFORE)
        ]
        marker = {"surfaceOp": "append"} if type_ in surface_types(format_) else {}
        rows.append({"type": type_, "seq": SEQ, "time": 1, "data": data, **marker})
        self._directory.mkdir(parents=True)
        text = "".join(dump(row) + "\n" for row in (first, *rows))
        (self._directory / _NAMES[format_]).write_text(text, "utf-8")
        try:
            answer = self._connection.call("store/open", {"id": "s1", "access": "read"})
        finally:
            shutil.rmtree(self._directory.parent)
        return answer.message if isinstance(answer, Refused) else ""

    def difference(self, format_: Released, type_: str, data: Any) -> str | None:
        """Say how the runtime and the reference differ over a payload, or nothing."""
        said = self.message(format_, type_, data)
        edge = f"dsh-session-format-v{format_}-to-v{format_ + 1} refuses"
        refuses = edge in said or any(each in said for each in _BARE)
        raw: Raw = {"type": type_, "seq": SEQ, "time": 1, "data": data}
        refusal = check_payload(raw, format=format_, header={"id": "s1"}, inherited=0)
        if refuses == (refusal is not None) or _is_known(format_, type_, data, said):
            return None
        return f"the runtime: {said or 'opens it'}\nthe reference: {refusal or 'lets it pass'}"


def _is_known(format_: Released, type_: str, data: Any, said: str) -> bool:
    if type_ == "assistant/chunk" or any(each in said for each in _OTHER):
        return True
    if format_ == 2:
        # Its edge looks at kinds of content and sources before the payload, and at the marker of
        # a cut while it reads the rows.
        return "cannot safely transform unclassified" in said or "session/end-seed" in said
    if format_ == 1 or not isinstance(data, dict):
        return False
    lacks = {key for of, key in _MENDED if of == type_} - data.keys()
    bare = type_ == "turn/end" and data.get("reason") == {"kind": "aborted"}
    return bool(lacks) or bare


@pytest.fixture(scope="session")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    workspace = tmp_path_factory.mktemp("payloads")
    connection = launcher({"compression": "none"}).launch(workspace)
    yield Judge(connection, workspace)
    connection.close()
