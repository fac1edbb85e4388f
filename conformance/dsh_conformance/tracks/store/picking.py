"""Parts of events: what stands at dotted paths of the events of some types.

A path goes by object keys from the event inwards; ``*`` stands for every member of a list.
"""

from collections.abc import Mapping, Sequence

from dsh_spec.values import Json

#: The step of a path that goes to every member of a list.
EACH = "*"


def picked(events: Sequence[Json], types: Sequence[str], paths: Sequence[str]) -> list[Json]:
    """Return, for each event of these types in turn, what lies at the paths."""
    return [
        [reach(event, path) for path in paths]
        for event in events
        if is_one_of(reach(event, "type"), types)
    ]


def reach(value: Json, path: str) -> Json:
    """Return what lies at a path, or nothing."""
    return _reach(value, path.split("."))


def is_one_of(kind: Json, types: Sequence[str]) -> bool:
    """Say whether a type is named; a name that ends with ``*`` names all that begin so."""
    return isinstance(kind, str) and any(
        kind.startswith(name[:-1]) if name.endswith("*") else kind == name for name in types
    )


def _reach(value: Json, path: Sequence[str]) -> Json:
    for at, key in enumerate(path):
        if key == EACH:
            members = value if isinstance(value, list | tuple) else ()
            return [_reach(member, path[at + 1 :]) for member in members]
        if not isinstance(value, Mapping):
            return None
        value = value.get(key)
    return value
