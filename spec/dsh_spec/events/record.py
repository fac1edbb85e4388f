"""What the attrs classes of the vocabulary have in common, and the marks on their fields."""

from typing import Annotated, Any, TypeAlias, TypeVar, get_args

from attrs import NOTHING, Attribute, field, frozen

from dsh_spec.values import Json, JsonObject

T = TypeVar("T")


@frozen
class JsonName:
    """The JSON name of a field, where it is not the camel-case spelling of its own."""

    #: The name.
    name: str


@frozen
class NotChecked:
    """A reader of format v4 does not check the field.

    A value that does not fit, null included, stays in ``extra``, and the field keeps its default.
    """

    #: Whether a writer writes the field all the same.
    expected: bool


@frozen
class RestOfKeys:
    """The field keeps the keys that the class does not declare."""


#: A field that a writer may leave out and that a reader does not check.
Unchecked: TypeAlias = Annotated[T | None, NotChecked(expected=False)]
#: A field that a writer writes and that a reader does not check.
Expected: TypeAlias = Annotated[T | None, NotChecked(expected=True)]
#: The undeclared keys.
Rest: TypeAlias = Annotated[JsonObject, RestOfKeys()]

_Field: TypeAlias = "Attribute[Any]"


def _mark(attribute: _Field, mark: type[T]) -> T | None:
    """The mark of that class on a field, or None."""
    marks = getattr(attribute.type, "__metadata__", ())
    return next((found for found in marks if isinstance(found, mark)), None)


def is_rest(attribute: _Field) -> bool:
    """Whether the field keeps the undeclared keys."""
    return _mark(attribute, RestOfKeys) is not None


def is_unchecked(attribute: _Field) -> bool:
    """Whether a reader leaves the field unchecked."""
    return _mark(attribute, NotChecked) is not None


def is_expected(attribute: _Field) -> bool:
    """Whether a writer writes the field in every object."""
    mark = _mark(attribute, NotChecked)
    return attribute.default is NOTHING if mark is None else mark.expected


def json_name(attribute: _Field) -> str:
    """The JSON name of a field: ``seq_no`` is spelled ``seqNo``."""
    mark = _mark(attribute, JsonName)
    if mark is not None:
        return mark.name
    first, *others = attribute.name.split("_")
    return first + "".join(part.capitalize() for part in others)


def value_type(attribute: _Field) -> Any:
    """The type of the field's value, without the mark that it is unchecked."""
    marks: tuple[Any, ...] = getattr(attribute.type, "__metadata__", ())
    only_unchecked = len(marks) == 1 and isinstance(marks[0], NotChecked)
    return get_args(attribute.type)[0] if only_unchecked else attribute.type


@frozen(kw_only=True)
class Open:
    """An object that may carry keys beyond the declared ones (RD-V3V4-PAYLOAD-OPEN)."""

    #: The undeclared keys, and unchecked ones that do not fit, kept as they came.
    extra: Rest = field(factory=dict)


@frozen(kw_only=True)
class Body:
    """What an event says: the value of its key ``data``."""


@frozen(kw_only=True)
class OpenBody(Body, Open):
    """A body that is an object of declared fields and undeclared ones."""


@frozen(kw_only=True)
class Undeclared(Body):
    """A value that does not fit its declared class, where format v4 does not check that."""

    #: The value, as it came.
    value: Json
