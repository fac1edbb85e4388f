"""How JSON becomes the classes of the vocabulary: one hook for each kind of annotation.

A hook takes a value and its type and returns what the class holds, or raises one of the misfits.
Nothing is coerced, and a present null is never an absent key.
"""

from collections.abc import Callable, Mapping
from types import NoneType, UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin

from attrs import NOTHING, Attribute, evolve, fields, frozen
from cattrs import Converter
from cattrs.gen import make_dict_structure_fn, override

from dsh_spec.events.compiled import UNUSUAL, Slot, Usual, builder, literal_test, usual_reader
from dsh_spec.events.kinds import Misfit, anything, integral, is_list, kind_of
from dsh_spec.events.misfit import MISFITS, AtIndexError
from dsh_spec.events.record import Undeclared, is_rest, is_unchecked, json_name, value_type
from dsh_spec.events.v4_core import TurnEndReason, UserMessage
from dsh_spec.events.v4_message import Block, Message, OtherBlock, Source
from dsh_spec.events.vocabulary import Missing, Tagged
from dsh_spec.values import JsonObject, is_object

#: Reads a value as the type given with it.
Read: TypeAlias = Callable[[Any, Any], Any]


def is_optional(annotation: object) -> bool:
    """Whether the annotation is ``X | None``."""
    return get_origin(annotation) in (Union, UnionType) and NoneType in get_args(annotation)


def is_tuple(annotation: object) -> bool:
    """Whether the annotation is ``tuple[X, ...]``."""
    return get_origin(annotation) is tuple


def is_literal(annotation: object) -> bool:
    """Whether the annotation lists its values."""
    return get_origin(annotation) is Literal


def is_block(annotation: object) -> bool:
    """Whether the annotation is the union of all content blocks."""
    return annotation == Block


def present(annotation: Any) -> Any:
    """What an optional annotation says of a key that is present."""
    return Union[tuple(member for member in get_args(annotation) if member is not NoneType)]  # noqa: UP007


def read_kind(annotation: Any, _converter: Converter) -> Read:
    """Read a value of a kind."""
    kind = kind_of(annotation)
    assert kind is not None
    return kind.read


def read_optional(annotation: Any, converter: Converter) -> Read:
    """Read a key that may be absent; a key that is there has a value that fits."""
    inner = present(annotation)
    read: Read = converter.get_structure_hook(inner)
    return lambda value, _annotation: read(value, inner)


def read_literal(annotation: Any, _converter: Converter) -> Read:
    """Read one of the listed values."""
    allowed = get_args(annotation)
    says = " or ".join(f'"{item}"' if isinstance(item, str) else str(item) for item in allowed)

    def read(value: Any, _annotation: Any) -> Any:
        found = value if isinstance(value, str) else integral(value)
        if found is None or found not in allowed:
            raise Misfit(says)
        return found

    return read


def read_tuple(annotation: Any, converter: Converter) -> Read:
    """Read a list whose items are all of one type."""
    member = get_args(annotation)[0]
    item: Read = converter.get_structure_hook(member)
    is_any = item is anything

    def read(value: Any, _annotation: Any) -> tuple[Any, ...]:
        if not is_list(value):
            raise Misfit("a list")
        if is_any:
            return tuple(value)
        found: list[Any] = []
        try:
            for entry in value:
                found.append(item(entry, member))  # noqa: PERF401 - its length is the place of an error
        except MISFITS as error:
            raise AtIndexError(len(found), error) from None
        return tuple(found)

    return read


def read_block(_annotation: Any, converter: Converter, *, blocks: Tagged) -> Read:
    """Read a content block; one that fits no class is kept as it is."""
    hooks = {tag: (cls, converter.get_structure_hook(cls)) for tag, cls in blocks.items()}

    def read(value: Any, _annotation: Any) -> Any:
        tag = value.get("type") if is_object(value) else None
        if not isinstance(tag, str) or not tag:
            return Undeclared(value=value)
        if tag in hooks:
            cls, hook = hooks[tag]
            try:
                return hook(value, cls)
            except MISFITS:
                pass
        return OtherBlock(type=tag, fields={k: v for k, v in value.items() if k != "type"})

    return with_usual(read, usual_block(hooks, read))


def usual_block(hooks: Mapping[str, tuple[Any, Read]], read: Read) -> Read:
    """Return what reads the usual blocks of some types, and has all others read by *read*."""
    usual = {tag: _usual_part(hook) for tag, (_, hook) in hooks.items()}

    def read_usual(value: Any, annotation: Any) -> Any:
        tag = value.get("type") if type(value) is dict else None
        found = usual.get(tag) if type(tag) is str else None
        return read(value, annotation) if found is None else found(value, None)

    return read_usual


def with_usual(read: Read, usual: Read) -> Read:
    """Note beside a hook what reads the usual values alone, for generated code to call."""
    read.usual = usual  # type: ignore[attr-defined]
    return read


def _usual_part(hook: Read) -> Read:
    found: Read = getattr(hook, "usual", hook)
    return found


def read_tagged(cls: type[Source | TurnEndReason], _converter: Converter) -> Read:
    """Read an object of one declared key, ``kind``."""
    build: Callable[[str, JsonObject], Source | TurnEndReason] = builder(cls)

    def read(value: Any, _cls: Any) -> Any:
        if not is_object(value):
            raise Misfit("an object")
        kind = value.get("kind")
        if not isinstance(kind, str) or not kind:
            raise Misfit("an object whose kind is a non-empty string")
        rest = dict(value)
        del rest["kind"]
        return build(kind, rest)

    return read


def read_user_message(_cls: Any, converter: Converter) -> Read:
    """Read the message that is the whole of a user message's ``data``."""
    read: Read = converter.get_structure_hook(Message)
    build = builder(UserMessage)
    return lambda value, _cls: build(read(value, Message))


def read_class(cls: Any, converter: Converter, *, missing: Missing) -> Read:
    """Read an object of declared keys.

    Most objects have only those, and all of them fit.  For the others, what is not declared stays
    in ``extra``, and so does what does not fit where that is not checked.
    """
    declared = declared_fields(cls, missing)
    checked = [attribute for attribute in declared if not is_unchecked(attribute)]
    tag = {"type"} if hasattr(cls, "TAG") else set()
    known = tag | set(map(json_name, declared))
    strict = tag | set(map(json_name, checked))
    whole, part = (generate(cls, names, converter) for names in (declared, checked))
    loose = [_Loose.of(attribute, converter) for attribute in declared if is_unchecked(attribute)]
    closed = not any(map(is_rest, fields(cls)))
    usual = usual_of(cls, declared, converter)

    def read(value: Any, _cls: Any) -> Any:
        try:
            return usual(value)
        except UNUSUAL:
            pass
        if not is_object(value):
            raise Misfit("an object")
        if value.keys() <= known:
            try:
                return whole(value, cls)
            except MISFITS:
                if not loose:
                    raise
        found = part(value, cls)
        extra = {key: item for key, item in value.items() if key not in strict}
        if closed:
            raise Misfit(f"an object without the key {min(extra, key=str)!r}")
        return evolve(found, extra=extra, **_take(loose, extra))

    return with_usual(read, usual)


def declared_fields(cls: Any, missing: Missing) -> list[Any]:
    """The fields that a format has of a class, but for the one that keeps all other keys."""
    absent = missing.get(cls, ())
    return [each for each in fields(cls) if not is_rest(each) and each.name not in absent]


def generate(cls: Any, chosen: list[Any], converter: Converter) -> Read:
    """Generate the reading of some fields of a class."""
    overrides: dict[str, Any] = {
        attribute.name: override(
            omit=attribute not in chosen,
            rename=json_name(attribute),
            struct_hook=converter.get_structure_hook(value_type(attribute))
            if is_unchecked(attribute)
            else None,
        )
        for attribute in fields(cls)
    }
    return make_dict_structure_fn(cls, converter, **overrides)


def usual_of(
    cls: Any,
    declared: list[Any],
    converter: Converter,
    *,
    required: frozenset[str] = frozenset(),
    no_null: frozenset[str] = frozenset(),
) -> Usual:
    """Return what reads the usual objects of a class.

    They have the *required* keys even where the fields have defaults, and no null under *no_null*.
    """
    slots = [_slot(attribute, converter) for attribute in declared]
    slots = [
        evolve(
            slot,
            optional=slot.optional and slot.key not in required,
            test="v is not None" if slot.key in no_null else slot.test,
        )
        for slot in slots
    ]
    return usual_reader(cls, slots, getattr(cls, "TAG", None))


def _usual_hook(kind: Any, converter: Converter) -> Read:
    """Return what reads the usual values of a type, or all where nothing reads those alone."""
    return _usual_part(converter.get_structure_hook(kind))


def _slot(attribute: Any, converter: Converter) -> Slot:
    kind = value_type(attribute)
    if kind_of(kind) is None and is_optional(kind):
        kind = present(kind)
    many = kind_of(kind) is None and is_tuple(kind)
    if many:
        kind = get_args(kind)[0]
    found = kind_of(kind)
    test = found.usual if found else literal_test(kind) if is_literal(kind) else None
    return Slot(
        name=attribute.name,
        key=json_name(attribute),
        optional=attribute.default is not NOTHING,
        test=test or None,
        read=_usual_hook(kind, converter) if test is None else None,
        kind=kind,
        many=many,
    )


@frozen
class _Loose:
    """How to read one unchecked field."""

    name: str
    key: str
    kind: Any
    hook: Read

    @classmethod
    def of(cls, attribute: "Attribute[Any]", converter: Converter) -> "_Loose":
        kind = value_type(attribute)
        hook = converter.get_structure_hook(kind)
        return cls(attribute.name, json_name(attribute), kind, hook)


def _take(loose: list[_Loose], extra: dict[str, Any]) -> dict[str, Any]:
    """Take the unchecked fields that fit out of ``extra``."""
    fitting = {}
    for field in loose:
        if field.key in extra:
            try:
                fitting[field.name] = field.hook(extra[field.key], field.kind)
            except MISFITS:
                continue
            del extra[field.key]
    return fitting
