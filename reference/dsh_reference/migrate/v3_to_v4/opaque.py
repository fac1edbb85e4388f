"""Events of types that v3 did not know: every reader skips them, or nobody can convert them.

One that is skipped gets the name of a plugin record (IGN-PLUGIN-RECORD).
"""

from typing import Final

from dsh_reference.migrate.edit import Wrong
from dsh_spec.events import event_types
from dsh_spec.values import JsonObject

_TYPES: Final = frozenset(event_types(3))


def is_known(event: JsonObject) -> bool:
    """Tell whether an event is of the fixed vocabulary of v3 (MIG34-VOCAB)."""
    return event["type"] in _TYPES


def set_aside(event: JsonObject) -> JsonObject | Wrong:
    """Return an unknown event under a name that v4 never gives a meaning, all else untouched.

    Source: MIG34-OPAQUE, MIG34-VOCAB (facts: migration §4.2).
    """
    name = str(event["type"])
    if event.get("ignorable") is not True:
        problem = f"the type {name[:80]!r} is unknown to format v3, and required"
        return Wrong(rule="MIG34-VOCAB", problem=problem)
    return {**event, "type": f"plugin:{name}"}
