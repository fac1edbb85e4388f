"""The converter between JSON and the classes of the vocabulary."""

from typing import Any

from attrs import has
from cattrs import Converter

from dsh_spec.events import reading, writing
from dsh_spec.events.kinds import kind_of
from dsh_spec.events.v4_core import TurnEndReason, UserMessage
from dsh_spec.events.v4_message import Source


def _is_kind(annotation: Any) -> bool:
    return kind_of(annotation) is not None


def _is_tagged(annotation: Any) -> bool:
    return annotation in (Source, TurnEndReason)


def _is_user_message(annotation: Any) -> bool:
    return annotation is UserMessage


def make_converter() -> Converter:
    """Build the converter; a hook registered later is asked earlier."""
    converter = Converter()
    converter.register_structure_hook_factory(has, reading.read_class)
    converter.register_unstructure_hook_factory(has, writing.write_class)
    converter.register_structure_hook_factory(_is_tagged, reading.read_tagged)
    converter.register_unstructure_hook_func(_is_tagged, writing.write_tagged)
    converter.register_structure_hook_factory(_is_user_message, reading.read_user_message)
    converter.register_unstructure_hook_factory(_is_user_message, writing.write_user_message)
    converter.register_structure_hook_factory(reading.is_optional, reading.read_optional)
    converter.register_unstructure_hook_factory(reading.is_optional, writing.write_optional)
    converter.register_structure_hook_factory(reading.is_tuple, reading.read_tuple)
    converter.register_unstructure_hook_factory(reading.is_tuple, writing.write_tuple)
    converter.register_structure_hook_factory(reading.is_literal, reading.read_literal)
    converter.register_unstructure_hook_func(reading.is_literal, writing.keep)
    converter.register_structure_hook_factory(reading.is_block, reading.read_block)
    converter.register_unstructure_hook_factory(reading.is_block, writing.write_block)
    converter.register_structure_hook_factory(_is_kind, reading.read_kind)
    converter.register_unstructure_hook_func(_is_kind, writing.keep)
    return converter
