"""How the classes of the vocabulary become JSON again, so that nothing is lost."""

from collections.abc import Callable
from typing import Any, TypeAlias, get_args

from attrs import NOTHING, fields
from cattrs import Converter
from cattrs.gen import make_dict_unstructure_fn, override

from dsh_spec.events.reading import present
from dsh_spec.events.record import Undeclared, is_rest, json_name
from dsh_spec.events.v4_core import TurnEndReason
from dsh_spec.events.v4_message import BLOCKS, Message, OtherBlock, Source, ToolResultBlock

#: Writes a value as JSON.
Write: TypeAlias = Callable[[Any], Any]


def keep(value: Any) -> Any:
    """Write a value that is JSON already."""
    return value


def write_optional(annotation: Any, converter: Converter) -> Write:
    """Write a value that is not None; None is a key left out."""
    write: Write = converter.get_unstructure_hook(present(annotation))
    return write


def write_tuple(annotation: Any, converter: Converter) -> Write:
    """Write a list whose items are all of one type."""
    write: Write = converter.get_unstructure_hook(get_args(annotation)[0])
    return lambda items: [write(item) for item in items]


def write_block(_annotation: Any, converter: Converter) -> Write:
    """Write a content block."""
    known = (*BLOCKS.values(), ToolResultBlock)
    hooks: dict[type, Write] = {cls: converter.get_unstructure_hook(cls) for cls in known}
    hooks[OtherBlock] = lambda block: {**block.fields, "type": block.type}
    hooks[Undeclared] = lambda block: block.value
    return lambda block: hooks[type(block)](block)


def write_tagged(value: Source | TurnEndReason) -> Any:
    """Write an object of one declared key, ``kind``."""
    return {**value.fields, "kind": value.kind}


def write_user_message(_cls: Any, converter: Converter) -> Write:
    """Write the message that is the whole of a user message's ``data``."""
    write: Write = converter.get_unstructure_hook(Message)
    return lambda body: write(body.message)


def write_class(cls: Any, converter: Converter) -> Write:
    """Write the declared keys that have a value, then the undeclared ones."""
    overrides: dict[str, Any] = {
        a.name: override(
            omit=is_rest(a), rename=json_name(a), omit_if_default=a.default is not NOTHING
        )
        for a in fields(cls)
    }
    plain = make_dict_unstructure_fn(cls, converter, **overrides)
    tag = {"type": cls.TAG} if hasattr(cls, "TAG") else {}
    closed = not any(is_rest(attribute) for attribute in fields(cls))

    def write(value: Any) -> dict[str, Any]:
        return {**value.extra, **tag, **plain(value)}

    return plain if closed else write
