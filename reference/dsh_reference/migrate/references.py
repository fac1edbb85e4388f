"""References: the places of an event that hold the seq of another.

An edge that renumbers events carries these along, and only these.  No payload is searched for
numbers that look like seqs: an id keeps the number that it was minted with, and what another
session counts is that session's (MIG12-REFS, MIG23-REFS, MIG34-REFS).
"""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from attrs import frozen

from dsh_reference.admit.slots import is_list
from dsh_reference.values import is_count
from dsh_spec.values import Json, JsonObject, is_object

#: Says where the event of a reference stands now, and ``None`` where it stands no longer.
Move: TypeAlias = Callable[[Json], int | None]

#: Keys that lead to a seq, one within the other; ``None`` is each member of a list.
_Path: TypeAlias = tuple[str | None, ...]


@frozen(kw_only=True)
class Endpoints:
    """The names under which a replacing ``surfaceOp`` has its two seqs."""

    #: The key of the first node's seq.
    start: str
    #: The key of the last node's seq.
    end: str


@frozen(kw_only=True)
class Dangling:
    """A reference whose event is gone."""

    #: The keys that lead to the reference, such as ``data.messageSeqs[]``.
    path: str
    #: What stands there.
    seq: Json


#: The spelling of v0 to v2 (SURF-OP-REPLACE-V0V1V2).
OLD_ENDPOINTS: Final = Endpoints(start="start", end="end")
#: The spelling of v3 and v4 (SURF-REPLACE-SHAPE).
NEW_ENDPOINTS: Final = Endpoints(start="startSeq", end="endSeq")

_SOURCES: Final[_Path] = ("sourceEventSeqs", None)
_SHADOWED: Final[tuple[_Path, ...]] = (
    ("data", "shadowedRange", "start"),
    ("data", "shadowedRange", "end"),
    ("data", "shadowedSeqs", None),
)
_TITLED: Final[tuple[_Path, ...]] = (("data", "messageSeqs", None),)
_PATHS: Final[Mapping[Json, tuple[_Path, ...]]] = {
    "command/done": (("data", "sourceEventSeq"),),
    "compaction/prune": _SHADOWED,
    "compaction/summary": _SHADOWED,
    "image/offload": (("data", "targets", None, "seq"),),
    "session/title": _TITLED,
    "session/title-llm-request": _TITLED,
}


def moves(targets: Mapping[int, int]) -> Move:
    """Return the move of each seq that *targets* maps; whatever is no count is nowhere."""
    return lambda seq: targets.get(int(seq)) if is_count(seq) else None


def remap(
    event: JsonObject, move: Move, *, read: Endpoints, write: Endpoints
) -> JsonObject | Dangling:
    """Return an event whose references are moved, or the first one that leads nowhere.

    A ``surfaceOp`` other than ``"append"`` is read in one spelling and written in another, as a
    replacement of nothing but its two ends.  A place that is missing is left as it is.
    """
    paths = _PATHS.get(event["type"], ())
    for path in (_SOURCES, *paths) if "sourceEventSeqs" in event else paths:
        moved = _moved(event, path, move)
        if isinstance(moved, Dangling):
            return Dangling(path=_spell(path), seq=moved.seq)
        assert is_object(moved)
        event = moved
    return _remap_operation(event, move, read, write)


def _remap_operation(
    event: JsonObject, move: Move, read: Endpoints, write: Endpoints
) -> JsonObject | Dangling:
    operation = event.get("surfaceOp", "append")
    if operation == "append":
        return event
    ends: dict[str, Json] = {}
    for key, name in ((read.start, write.start), (read.end, write.end)):
        seq = operation.get(key) if is_object(operation) else None
        end = move(seq)
        if end is None:
            return Dangling(path=f"surfaceOp.{key}", seq=seq)
        ends[name] = end
    return {**event, "surfaceOp": {"op": "replace", **ends}}


def _moved(value: Json, path: _Path, move: Move) -> Json | Dangling:
    if not path:
        seq = move(value)
        return Dangling(path="", seq=value) if seq is None else seq
    key, rest = path[0], path[1:]
    if key is not None:
        if not is_object(value) or key not in value:
            return value
        moved = _moved(value[key], rest, move)
        return moved if isinstance(moved, Dangling) else {**value, key: moved}
    if not is_list(value):
        return value
    members: list[Json] = []
    for member in value:
        moved = _moved(member, rest, move)
        if isinstance(moved, Dangling):
            return moved
        members.append(moved)
    return members


def _spell(path: _Path) -> str:
    return ".".join("[]" if key is None else key for key in path).replace(".[]", "[]")
