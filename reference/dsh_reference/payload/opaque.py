"""Values that belong to a producer, and have to be lossless JSON all the same."""

from collections.abc import Mapping

from dsh_reference.values import not_json
from dsh_spec.values import Json


def check_opaque(type_: str, data: Mapping[str, Json]) -> str | None:
    """Say which opaque value of a payload some JSON text would not give back.

    A text can hold -0, which its writer cannot have meant (facts: events §8, JSON-WHERE).
    """
    key = _PLACES.get(type_)
    if key is None or key not in data or not_json(data[key]) is None:
        return None
    return f"data.{key} must be a lossless JSON value"


_PLACES = {
    "tool/code-dispatch": "arguments",
    "tool/code-dispatch-start": "arguments",
    "tool/result": "meta",
}
#: The types with such a value.
OPAQUE = frozenset(_PLACES)
