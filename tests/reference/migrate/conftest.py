"""Logs of v0 and v1 as tests write them down: physical rows, told apart by the header's version.

The reading of rows here is the test's own, so that no example rests on the code under test.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

import pytest

from dsh_reference.session_log import SessionLog
from dsh_spec.values import Json, JsonObject

#: Makes a log of a header row and event rows.
LogOf = Callable[..., SessionLog]

_DELTAS = {
    "text-chunks": ("text-delta", "texts", "text"),
    "reasoning-chunks": ("reasoning-delta", "texts", "text"),
    "tool-call-chunks": ("tool-call-delta", "args", "argumentsDelta"),
}


@pytest.fixture(scope="session")
def log_of() -> LogOf:
    return read_rows


def read_rows(header: Mapping[str, Any], *rows: Mapping[str, Any]) -> SessionLog:
    """Return the log of a header row of v0 or v1 and its event rows."""
    logical: dict[str, Json] = {
        key: value for key, value in header.items() if key not in ("type", "seedLength")
    }
    events = [event for row in rows for event in _events(row)]
    return SessionLog(
        header={**logical, "isSeeded": "seedLength" in header},
        inherited=header.get("seedLength", 0),
        events=tuple(events),
    )


def _events(row: Mapping[str, Any]) -> Iterator[JsonObject]:
    if row["type"] in _DELTAS:
        yield from _unpacked(row)
    elif "sourceEventSeqs" in row:
        yield {**row, "sourceEventSeqs": list(_seqs(row["sourceEventSeqs"]))}
    else:
        yield row


def _unpacked(row: Mapping[str, Any]) -> Iterator[JsonObject]:
    kind, members, member = _DELTAS[row["type"]]
    data = row["data"]
    place = {"turn": data["turn"], "step": data["step"]}
    tool = {key: data[key] for key in ("id", "name") if key in data}
    times = accumulate(data["dt"], initial=row["time0"])
    for at, (time, text) in enumerate(zip(times, data[members], strict=True)):
        chunk = {"type": kind, "index": data["index"], **tool, member: text}
        yield {
            "type": "assistant/chunk",
            "seq": row["seq0"] + at,
            "time": time,
            "data": {**place, "chunk": chunk},
        }


def _seqs(packed: Sequence[Any]) -> Iterator[int]:
    for entry in packed:
        yield from range(entry[0], entry[1] + 1) if isinstance(entry, list) else (entry,)
