"""The JSON value model that every other module speaks.

A value is what one JSON text denotes: strings are sequences of UTF-16 code units (lone surrogates
included), numbers are finite doubles, and an object's keys have no order.
"""

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias, TypeGuard

#: Any JSON value.  ``True`` is never the number 1, although Python would say so.
Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None

#: A JSON object.
JsonObject: TypeAlias = Mapping[str, Json]

#: What most values are that are no objects; to ask whether one is a `Mapping` takes long.
_OTHERS: Final = frozenset({str, int, list, bool, type(None)})


def is_object(value: object) -> TypeGuard[JsonObject]:
    """Whether a value is a JSON object."""
    kind = type(value)
    return kind is dict or (kind not in _OTHERS and isinstance(value, Mapping))
