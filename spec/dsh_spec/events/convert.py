"""The converter between JSON and the classes of a vocabulary."""

from functools import partial
from typing import Any

from attrs import has
from cattrs import Converter

from dsh_spec.events import exact, reading, writing
from dsh_spec.events.kinds import kind_of
from dsh_spec.events.v4_core import TurnEndReason, UserMessage
from dsh_spec.events.v4_message import Source
from dsh_spec.events.vocabulary import Vocabulary


def _is_kind(annotation: Any) -> bool:
    return kind_of(annotation) is not None


def _is_source(annotation: Any) -> bool:
    return annotation is Source


def _is_reason(annotation: Any) -> bool:
    return annotation is TurnEndReason


def _is_tagged(annotation: Any) -> bool:
    return annotation in (Source, TurnEndReason)


def _is_user_message(annotation: Any) -> bool:
    return annotation is UserMessage


def make_converter(vocabulary: Vocabulary) -> Converter:
    """Build the converter of a format; a hook registered later is asked earlier."""
    converter = Converter()
    if vocabulary.exact:
        _register_exact(converter, vocabulary)
    else:
        _register_open(converter, vocabulary)
    converter.register_unstructure_hook_factory(has, writing.write_class)
    converter.register_unstructure_hook_func(_is_tagged, writing.write_tagged)
    converter.register_structure_hook_factory(_is_user_message, reading.read_user_message)
    converter.register_unstructure_hook_factory(_is_user_message, writing.write_user_message)
    converter.register_structure_hook_factory(reading.is_optional, reading.read_optional)
    converter.register_unstructure_hook_factory(reading.is_optional, writing.write_optional)
    converter.register_structure_hook_factory(reading.is_tuple, reading.read_tuple)
    converter.register_unstructure_hook_factory(reading.is_tuple, writing.write_tuple)
    converter.register_structure_hook_factory(reading.is_literal, reading.read_literal)
    converter.register_unstructure_hook_func(reading.is_literal, writing.keep)
    read_block = exact.read_block if vocabulary.exact else reading.read_block
    converter.register_structure_hook_factory(
        reading.is_block, partial(read_block, blocks=vocabulary.blocks)
    )
    converter.register_unstructure_hook_factory(reading.is_block, writing.write_block)
    converter.register_structure_hook_factory(_is_kind, reading.read_kind)
    converter.register_unstructure_hook_func(_is_kind, writing.keep)
    return converter


def _register_open(converter: Converter, vocabulary: Vocabulary) -> None:
    """Let objects have keys that are not declared, and leave fields that nobody reads unchecked."""
    missing = vocabulary.missing
    converter.register_structure_hook_factory(has, partial(reading.read_class, missing=missing))
    converter.register_structure_hook_factory(_is_tagged, reading.read_tagged)


def _register_exact(converter: Converter, vocabulary: Vocabulary) -> None:
    """Hold objects to the declared keys, and check every field."""
    read_class = partial(exact.read_class, missing=vocabulary.missing)
    converter.register_structure_hook_factory(has, read_class)
    for is_it, classes in ((_is_source, vocabulary.sources), (_is_reason, vocabulary.reasons)):
        converter.register_structure_hook_factory(
            is_it, partial(exact.read_tagged, classes=classes)
        )
