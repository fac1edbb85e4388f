"""What one format has for a vocabulary: its types, and how their payloads are read."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

from attrs import field, frozen

from dsh_spec.catalogue import Format
from dsh_spec.events.record import Body

#: For each class, those of its fields that a format does not have.
Missing: TypeAlias = Mapping[type, frozenset[str]]
#: For each value of an object's tag, the class of the object.
Tagged: TypeAlias = Mapping[str, type]

_NONE: Mapping[str, type] = MappingProxyType({})


@frozen(kw_only=True, eq=False)
class Vocabulary:
    """The event types of a format, with the classes of their bodies and of what stands in them."""

    #: The format.
    format: Format
    #: Each type with the class of its body.
    types: Mapping[str, type[Body]]
    #: Types that its readers admit although they came after its list was closed (CAT-V2-FEEDBACK).
    late: Mapping[str, type[Body]] = field(default=_NONE)
    #: The types whose events stand on the surface (SURF-TYPES).
    surface: frozenset[str]
    #: The types that every harness knows.
    core: frozenset[str]
    #: The types whose bodies a reader checks.
    checked: frozenset[str]
    #: The content blocks that have a class, by type.
    blocks: Tagged
    #: The fields of a message's source, by kind; a format that leaves them open has none.
    sources: Tagged = field(default=_NONE)
    #: The fields of the reason of a ``turn/end``, by kind; a format that leaves them open has none.
    reasons: Tagged = field(default=_NONE)
    #: Fields of the classes that the format does not have.
    missing: Missing = field(factory=dict)
    #: Whether an object has no key that is not declared, and all its fields are checked.
    exact: bool = False

    #: Each type that a reader of the format knows, with the class of its body.
    known: Mapping[str, type[Body]] = field(init=False)

    @known.default
    def _known(self) -> Mapping[str, type[Body]]:
        return MappingProxyType({**self.types, **self.late})
