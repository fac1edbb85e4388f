"""What a normalisation is: it turns one historical shape of an event into that of v1.

It returns any other event as it came.  A shape that almost fits is refused or left to the payload
check: whatever owns a present-day member already is not of the past, but wrong
(MIG01-CURRENT-LOOKING).
"""

from collections.abc import Callable
from typing import TypeAlias

from dsh_reference.refusal import Refusal
from dsh_spec.values import JsonObject, is_object

#: From an event and its seq to the event, changed or not, or to the refusal of the log.
Normalisation: TypeAlias = Callable[[JsonObject, int], JsonObject | Refusal]


def payload(event: JsonObject) -> JsonObject:
    """Return an event's payload, or an empty one where it has no object for one."""
    data = event.get("data")
    return data if is_object(data) else {}


def has_keys(value: JsonObject, *keys: str) -> bool:
    """Tell whether an object has exactly these keys."""
    return value.keys() == set(keys)
