"""The schema of each class of the vocabulary, as definitions that refer to each other."""

from typing import Any, get_args

from attrs import fields

from dsh_spec.events.kinds import kind_of
from dsh_spec.events.reading import is_block, is_literal, is_optional, is_tuple, present
from dsh_spec.events.record import is_expected, is_rest, json_name, value_type
from dsh_spec.events.v4_message import BLOCKS, OtherBlock
from dsh_spec.schema.docs import class_doc, field_docs

#: A JSON Schema.
Schema = dict[str, Any]


class Definitions:
    """Collects the definitions that are referred to, each once."""

    def __init__(self) -> None:
        self.found: dict[str, Schema] = {}

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
            self.found[cls.__name__] = self._define(cls)
        return {"$ref": f"#/$defs/{cls.__name__}"}

    def _define(self, cls: Any) -> Schema:
        docs = field_docs(cls)
        declared = [attribute for attribute in fields(cls) if not is_rest(attribute)]
        tag: Schema = {"type": {"const": cls.TAG}} if hasattr(cls, "TAG") else {}
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
        closed = len(declared) == len(fields(cls))
        return {**definition, "additionalProperties": False} if closed else definition

    def _block(self) -> Schema:
        if "Block" not in self.found:
            self.found["Block"] = {}
            known = [self.refer(cls) for cls in BLOCKS.values()]
            other = self._define(OtherBlock)
            other["properties"]["type"]["not"] = {"enum": [*BLOCKS, "tool-result"]}
            self.found["Block"] = {"description": "Any content block.", "oneOf": [*known, other]}
        return {"$ref": "#/$defs/Block"}
