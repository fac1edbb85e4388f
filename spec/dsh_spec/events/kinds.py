"""The kinds of value that a field may have, each with its test and its JSON Schema.

A field says its kind by its annotation: ``turn: Count``.  Nothing is coerced: ``True`` is not 1 and
``"1"`` is not 1, but the JSON text ``1.0`` denotes the integer 1, as in JavaScript.
"""

from collections.abc import Callable
from math import copysign, isfinite
from typing import Annotated, Any, TypeAlias

from attrs import frozen

from dsh_spec.events.record import NotChecked
from dsh_spec.values import Json, JsonObject, is_object

#: The largest integer that a double holds exactly with all its neighbours, 2**53 - 1.
MAX_SAFE = 2**53 - 1


class Misfit(ValueError):  # noqa: N818 - a verdict on a value, raised to leave generated code
    """A value is not of the kind that its field asks for; the message says which kind that is."""


@frozen(eq=False)
class Kind:
    """One kind of JSON value."""

    #: Completes the sentence "it must be ...".
    says: str
    #: Returns the value, an integral float as an ``int``, or raises :class:`Misfit`.
    read: Callable[[Any, Any], Any]
    #: The kind as JSON Schema.
    schema: JsonObject
    #: A Python expression over ``v`` that holds for the usual values of the kind, which are read as
    #: they are; empty where all are.
    usual: str | None = None


def is_list(value: object) -> bool:
    """Whether ``value`` is a JSON list."""
    return isinstance(value, (list, tuple))


def integral(value: object) -> int | None:
    """The integer that a JSON number denotes, or None; -0 denotes none (ENV-SEQ-NEGZERO)."""
    if type(value) is int:
        return value
    if isinstance(value, float) and value.is_integer() and not _is_negative_zero(value):
        return int(value)
    return None


def _is_negative_zero(value: float) -> bool:
    return value == 0 and copysign(1.0, value) < 0


def _between(low: int, high: int, says: str) -> Kind:
    def read(value: Any, _annotation: object) -> int:
        number = value if type(value) is int else integral(value)
        if number is None or not low <= number <= high:
            raise Misfit(says)
        return number

    schema: JsonObject = {"type": "integer", "minimum": low, "maximum": high}
    return Kind(says, read, schema, f"type(v) is int and {low} <= v <= {high}")


def _finite(value: Any, _annotation: object) -> int | float:
    if type(value) is int:
        return value
    if isinstance(value, float) and isfinite(value) and not _is_negative_zero(value):
        return value
    raise Misfit("a finite number")


def _nullable_count(value: Any, _annotation: object) -> int | None:
    return None if value is None else _COUNT.read(value, None)


def _text(value: Any, _annotation: object) -> str:
    if isinstance(value, str):
        return value
    raise Misfit("a string")


def _name(value: Any, _annotation: object) -> str:
    if isinstance(value, str) and value:
        return value
    raise Misfit("a non-empty string")


def _absolute_path(value: Any, _annotation: object) -> str:
    if isinstance(value, str) and value.startswith("/"):
        return value
    raise Misfit("an absolute path")


def _bool(value: Any, _annotation: object) -> bool:
    if value is True or value is False:
        return value
    raise Misfit("true or false")


def _true(value: Any, _annotation: object) -> bool:
    if value is True:
        return True
    raise Misfit("true, or absent")


def _object(value: Any, _annotation: object) -> Any:
    if is_object(value):
        return value
    raise Misfit("an object")


def anything(value: Any, _annotation: object) -> Any:
    """Read any value, as it is."""
    return value


def _not_null(value: Any, _annotation: object) -> Any:
    if value is None:
        raise Misfit("a JSON value but null")
    return value


_COUNT = _between(0, MAX_SAFE, "an integer from 0 to 2^53-1")

_TRUE = Kind("true, or absent", _true, {"const": True}, "v is True")

#: Neither minus zero nor infinite.
_USUAL_NUMBER = "type(v) is int or type(v) is float and (0.0 < v < 1e308 or -1e308 < v < 0.0)"

#: A non-negative safe integer.
Count = Annotated[int, _COUNT]
#: A count, or null where the protocol says null.
NullableCount = Annotated[
    int | None,
    Kind(
        "an integer from 0 to 2^53-1, or null",
        _nullable_count,
        {"type": ["integer", "null"], "minimum": 0, "maximum": MAX_SAFE},
        f"v is None or type(v) is int and 0 <= v <= {MAX_SAFE}",
    ),
]
#: A safe integer from 1.
Positive = Annotated[int, _between(1, MAX_SAFE, "an integer from 1 to 2^53-1")]
#: A safe integer of either sign.
SafeInt = Annotated[int, _between(-MAX_SAFE, MAX_SAFE, "an integer within +-(2^53-1)")]
#: A finite number, kept as it is.
Finite = Annotated[int | float, Kind("a finite number", _finite, {"type": "number"}, _USUAL_NUMBER)]
#: Any string.
Text = Annotated[str, Kind("a string", _text, {"type": "string"}, "type(v) is str")]
#: A string of at least one UTF-16 unit.
Name = Annotated[
    str,
    Kind("a non-empty string", _name, {"type": "string", "minLength": 1}, "type(v) is str and v"),
]
#: An absolute path of a POSIX system.
AbsolutePath = Annotated[
    str, Kind("an absolute path", _absolute_path, {"type": "string", "pattern": "^/"})
]
#: ``true`` or ``false``.
Bool = Annotated[bool, Kind("true or false", _bool, {"type": "boolean"}, "v is True or v is False")]
#: ``true`` where present; the key is absent otherwise.
Flag = Annotated[bool, _TRUE]
#: ``true`` where present, and False where anything else is: a reader does not check it.
UncheckedFlag = Annotated[bool, _TRUE, NotChecked(expected=False)]
#: Any JSON object, kept as it is.
AnyObject = Annotated[JsonObject, Kind("an object", _object, {"type": "object"}, "type(v) is dict")]
#: Any JSON value, kept as it is.
AnyJson: TypeAlias = Annotated[Json, Kind("a JSON value", anything, {}, "")]
#: Any JSON value but null, kept as it is.
SomeJson: TypeAlias = Annotated[Json, Kind("a JSON value but null", _not_null, {}, "v is not None")]
#: A tool that a request header declares: a name, a description and a schema of its parameters.
ToolDeclaration: TypeAlias = Annotated[
    Json,
    Kind(
        "a JSON value",
        anything,
        {
            "type": "object",
            "required": ["name", "description", "parameters"],
            "properties": {
                "name": {"type": "string", "minLength": 1},
                "description": {"type": "string"},
                "parameters": {"type": "object"},
                "deferLoading": {"const": True},
            },
        },
        "",
    ),
]


def kind_of(annotation: object) -> Kind | None:
    """The kind that an annotation names, or None."""
    for extra in getattr(annotation, "__metadata__", ()):
        if isinstance(extra, Kind):
            return extra
    return None
