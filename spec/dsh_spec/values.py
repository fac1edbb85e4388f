"""The JSON value model that every other module speaks.

A value is what one JSON text denotes: strings are sequences of UTF-16 code units (lone surrogates
included), numbers are finite doubles, and an object's keys have no order.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

#: Any JSON value.  ``True`` is never the number 1, although Python would say so.
Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None

#: A JSON object.
JsonObject: TypeAlias = Mapping[str, Json]
