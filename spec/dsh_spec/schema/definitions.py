"""The schema of each class of a vocabulary, as definitions that refer to each other."""

from typing import Any, get_args

from attrs import fields

from dsh_spec.events.kinds import kind_of
from dsh_spec.events.reading import (
    declared_fields,
    is_block,
    is_literal,
    is_optional,
    is_tuple,
    present,
)
from dsh_spec.events.record import is_expected, is_rest, json_name, value_type
from dsh_spec.events.v4_core import TurnEndReason
from dsh_spec.events.v4_message import OtherBlock, Source
from dsh_spec.events.vocabulary import Tagged, Vocabulary
from dsh_spec.schema.docs import class_doc, field_docs

#: A JSON Schema.
Schema = dict[str, Any]


class Definitions:
    """Collects the definitions that are referred to, each once."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.found: dict[str, Schema] = {}
        self._vocabulary = vocabulary
        self._tagged: dict[type, Tagged] = {
            Source: vocabulary.sources,
            TurnEndReason: vocabulary.reasons,
        }

    def sorted(self) -> Schema:
        """All definitions by name."""
        return dict(sorted(self.found.items()))

    def of(self, annotation: Any) -> Schema:
        """The schema of a field's type."""
        kind = kind_of(annotation)
        if kind is not None:
            return dict(kind.schema)
        if is_optional(annotation):
            return self.of(present(annotation))
        if is_literal(annotation):
            values = list(get_args(annotation))
            return {"const": values[0]} if len(values) == 1 else {"enum": values}
        if is_tuple(annotation):
            return {"type": "array", "items": self.of(get_args(annotation)[0])}
        if is_block(annotation):
            return self._block()
        return self.refer(annotation)

    def refer(self, cls: type) -> Schema:
        """A reference to the definition of a class."""
        if cls.__name__ not in self.found:
            self.found[cls.__name__] = {}
            tagged = self._tagged.get(cls)
            self.found[cls.__name__] = self._of_kinds(cls, tagged) if tagged else self._define(cls)
        return {"$ref": f"#/$defs/{cls.__name__}"}

    def _define(self, cls: Any, tag: Schema | None = None) -> Schema:
        docs = field_docs(cls)
        declared = declared_fields(cls, self._vocabulary.missing)
        if tag is None:
            tag = {"type": {"const": cls.TAG}} if hasattr(cls, "TAG") else {}
        properties = {
            json_name(attribute): {
                "description": docs[attribute.name],
                **self.of(value_type(attribute)),
            }
            for attribute in declared
        }
        definition = {
            "description": class_doc(cls),
            "type": "object",
            "required": [*tag, *(json_name(each) for each in declared if is_expected(each))],
            "properties": {**tag, **properties},
        }
        return {**definition, "additionalProperties": False} if self._is_closed(cls) else definition

    def _is_closed(self, cls: Any) -> bool:
        if self._vocabulary.exact:
            return cls not in (OtherBlock, *self._tagged)
        return not any(map(is_rest, fields(cls)))

    def _of_kinds(self, cls: Any, classes: Tagged) -> Schema:
        """Known kinds with their fields, and any other kind with any fields."""
        known = [
            self._define(fields, {"kind": {"const": kind}}) for kind, fields in classes.items()
        ]
        other = self._define(cls)
        other["properties"]["kind"]["not"] = {"enum": [*classes]}
        return {"description": class_doc(cls), "oneOf": [*known, other]}

    def _block(self) -> Schema:
        if "Block" not in self.found:
            self.found["Block"] = {}
            blocks = self._vocabulary.blocks
            known = [self.refer(cls) for cls in blocks.values()]
            other = self._define(OtherBlock)
            other["properties"]["type"]["not"] = {"enum": list({**blocks, "tool-result": None})}
            self.found["Block"] = {"description": "Any content block.", "oneOf": [*known, other]}
        return {"$ref": "#/$defs/Block"}
