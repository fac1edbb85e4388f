"""How the payloads of formats v0 to v2 become the classes of the vocabulary: exactly.

An object has the declared keys and no other, every field is checked, and what a writer always
writes has to be there.  Sources, reasons and content blocks of kinds that the format knows are
exact as well; those of other kinds belong to their producers (MIG01-OPEN-ARMS).
"""

from collections.abc import KeysView
from typing import Any

from attrs import evolve
from cattrs import Converter

from dsh_spec.events.compiled import UNUSUAL, builder
from dsh_spec.events.kinds import Misfit, kind_of
from dsh_spec.events.misfit import MISFITS
from dsh_spec.events.reading import (
    Read,
    declared_fields,
    generate,
    present,
    usual_block,
    usual_of,
    with_usual,
)
from dsh_spec.events.record import is_expected, is_unchecked, json_name, value_type
from dsh_spec.events.v4_message import OtherBlock, ToolResultBlock
from dsh_spec.events.vocabulary import Missing, Tagged
from dsh_spec.values import is_object

#: How much of a key a problem shows, in characters; keys of a damaged log have no bound.
_LONGEST_KEY = 60


def read_class(cls: Any, converter: Converter, *, missing: Missing) -> Read:
    """Read an object of exactly the declared keys.

    A present null of a field that may be any JSON value stays in ``extra``, because the field's
    None is the absent key.
    """
    declared = declared_fields(cls, missing)
    tag = {"type"} if hasattr(cls, "TAG") else set()
    known = tag | set(map(json_name, declared))
    required = tag | {json_name(each) for each in declared if is_expected(each)}
    nullable = {json_name(each) for each in declared if _is_any(each)}
    read_fields = generate(cls, declared, converter)
    usual = usual_of(
        cls, declared, converter, required=frozenset(required), no_null=frozenset(nullable)
    )

    def read(value: Any, _cls: Any) -> Any:
        try:
            return usual(value)
        except UNUSUAL:
            pass
        if not is_object(value):
            raise Misfit("an object")
        keys = value.keys()
        if keys != known:
            _check_keys(keys, required, known)
        nulls = nullable and {key: None for key in nullable if value.get(key, key) is None}
        if not nulls:
            return read_fields(value, cls)
        rest = {key: item for key, item in value.items() if key not in nulls}
        return evolve(read_fields(rest, cls), extra=nulls)

    return with_usual(read, usual)


def _check_keys(keys: KeysView[str], required: set[str], known: set[str]) -> None:
    if not required <= keys:
        raise Misfit(f"an object with the key {min(required - keys)!r}")
    if not keys <= known:
        stranger = str(min(keys - known, key=str))
        raise Misfit(f"an object without the key {stranger[:_LONGEST_KEY]!r}")


def _is_any(attribute: Any) -> bool:
    """Whether an unchecked field may be any JSON value."""
    kind = kind_of(present(value_type(attribute))) if is_unchecked(attribute) else None
    return kind is not None and not kind.schema


def read_block(_annotation: Any, converter: Converter, *, blocks: Tagged) -> Read:
    """Read a content block, and all that is nested in it."""
    hooks = {tag: (cls, converter.get_structure_hook(cls)) for tag, cls in blocks.items()}

    def read_one(value: Any) -> Any:
        tag = value.get("type") if is_object(value) else None
        if not isinstance(tag, str) or not tag:
            raise Misfit("an object whose type is a non-empty string")
        if tag in hooks:
            cls, hook = hooks[tag]
            return hook(value, cls)
        return OtherBlock(type=tag, fields={k: v for k, v in value.items() if k != "type"})

    def read(value: Any, _annotation: Any) -> Any:
        block = read_one(value)
        pending = [block]
        while pending:
            # Not a recursion: a log may nest them as deep as its text may nest.
            match pending.pop():
                case ToolResultBlock(content=content):
                    pending += _read_nested(content)
        return block

    def _read_nested(content: Any) -> list[Any]:
        try:
            return [read_one(item) for item in content]
        except MISFITS:
            raise Misfit("a tool-result of blocks that fit their types") from None

    flat = {tag: hook for tag, hook in hooks.items() if hook[0] is not ToolResultBlock}
    return with_usual(read, usual_block(flat, read))


def read_tagged(cls: Any, converter: Converter, *, classes: Tagged) -> Read:
    """Read an object whose key ``kind`` says which other keys it has."""
    hooks = {
        kind: (fields, converter.get_structure_hook(fields)) for kind, fields in classes.items()
    }
    build = builder(cls)

    def read(value: Any, _cls: Any) -> Any:
        kind = value.get("kind") if is_object(value) else None
        if not isinstance(kind, str) or not kind:
            raise Misfit("an object whose kind is a non-empty string")
        rest = dict(value)
        del rest["kind"]
        if kind in hooks:
            fields, hook = hooks[kind]
            hook(rest, fields)
        return build(kind, rest)

    return read
