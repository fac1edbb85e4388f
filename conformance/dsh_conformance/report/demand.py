"""An expectation of a script beside the answer that did not meet it, in one shape.

A script says what an answer must be as data (``{"is": "dense", "start": 0}``), and the answer is
another kind of data (``{"result": {"events": [...]}}``).
Side by side they would differ in every line.
Here both become the part that was compared, so that what differs is what is wrong.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from dsh_conformance.tracks.store.picking import picked
from dsh_spec.values import Json

#: What is expected and what was found, in one shape.
Sides: TypeAlias = tuple[Json, Json]

#: What the expectations that compare no part of the answer demand, in words.
_WORDS: Mapping[str, str] = {
    "accepted": "a result",
    "no-closers": "no event that closes an interrupted turn, unless it was appended",
    "untouched": "nothing that the caller changed in its arguments after the call",
    "not-part": "a refusal, and not what a part of the log would result in",
    "listed-as": "the session with its header and with the revision that stat gives",
    "same-revision": "the revision that was given before",
    "new-revision": "another revision than was given before",
    "located": "a file of its own for the session",
    "same-bytes": "a file with the bytes that it had before",
    "extends": "a file that begins with the records that it had before",
    "holds-log": "a file that holds exactly the events of the session",
    "inside": "nothing outside the workspace",
}


def comparable(expected: Json, actual: Json) -> Sides:
    """Return both sides in one shape; what is no expectation of a script stays as it is."""
    if not isinstance(expected, Mapping) or not isinstance(expected.get("is"), str):
        return expected, actual
    if expected["is"] == "accepted-or-refused-as":
        return {"a result, or a refusal": _kinds(expected)}, actual
    if expected["is"] == "refused-as":
        return {"refusal": _kinds(expected)}, actual
    if isinstance(actual, Mapping) and "result" in actual:
        return _of_result(expected, actual["result"], (_in_words(expected), actual))
    return _in_words(expected), actual


def _kinds(expected: Mapping[str, Json]) -> str:
    kinds = expected.get("kinds")
    named = [str(kind) for kind in kinds] if isinstance(kinds, Sequence) else []
    return " or ".join(named) or "of any kind"


def _in_words(expected: Mapping[str, Json]) -> Json:
    match expected:
        case {"is": "equals" | "header-is", "at": [*path], "value": wanted}:
            return {"result": _placed(path, wanted)}
        case {"is": str(kind)}:
            return _WORDS.get(kind, expected)
        case _:
            return expected


def _of_result(expected: Mapping[str, Json], result: Json, otherwise: Sides) -> Sides:
    """Return the compared part of a result, where an expectation compares a part."""
    match expected:
        case {"is": "equals" | "header-is", "at": [*path], "value": wanted}:
            return _placed(path, wanted), _placed(path, _look(result, path))
        case {"is": "count-if-given", "at": [*path], "value": wanted}:
            where = [*path, "eventCount"]
            return _placed(where, wanted), _placed(where, _look(result, where))
        case {"is": "dense", "start": int(start)}:
            seqs = [_look(event, ("seq",)) for event in _events(result)]
            return {"seqs": list(range(start, start + len(seqs)))}, {"seqs": seqs}
        case {"is": "counts", "least": int(least)}:
            found = len(_events(result))
            return {"number of events": _bounds(least, expected.get("most"))}, {
                "number of events": found
            }
        case {"is": "prefix-of", "events": [*events]}:
            read = _events(result)
            return {"events": events[: len(read)]}, {"events": read}
        case {"is": "picks", "types": [*types], "paths": [*paths], "values": [*values]}:
            names, keys = [str(each) for each in types], [str(each) for each in paths]
            return _picks(keys, values), _picks(keys, picked(_events(result), names, keys))
        case {"is": "keeps", "types": [*types]}:
            kinds = [_look(event, ("type",)) for event in _events(result)]
            return {"types by seq": types}, {"types by seq": list(enumerate(kinds))}
        case {"is": "ids", "ids": [*ids]}:
            return {"ids": sorted(ids, key=str)}, {"ids": sorted(_ids(result), key=str)}
        case _:
            return otherwise


def _picks(paths: Sequence[str], values: Sequence[Json]) -> Json:
    """Show what was picked under the paths, event by event."""
    return {
        "events": [
            dict(zip(paths, each, strict=False)) if isinstance(each, Sequence) else each
            for each in values
        ]
    }


def _bounds(least: int, most: Json) -> Json:
    """Return how many there should be: a number, or in words."""
    if most == least:
        return least
    return f"at least {least}" if most is None else f"{least} to {most}"


def _placed(path: Sequence[Json], value: Json) -> Json:
    """Put *value* where *path* leads."""
    for key in reversed(path):
        value = {str(key): value}
    return value


def _look(value: Json, path: Sequence[Json]) -> Json:
    for key in path:
        if not isinstance(value, Mapping) or not isinstance(key, str):
            return None
        value = value.get(key)
    return value


def _events(result: Json) -> list[Json]:
    events = _look(result, ("events",))
    return list(events) if isinstance(events, Sequence) and not isinstance(events, str) else []


def _ids(result: Json) -> list[Json]:
    found = _look(result, ("snapshots",))
    snapshots = found if isinstance(found, Sequence) and not isinstance(found, str) else ()
    return [_look(snapshot, ("header", "id")) for snapshot in snapshots]
