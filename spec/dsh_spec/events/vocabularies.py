"""The vocabularies of all formats."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from dsh_spec.catalogue import Format
from dsh_spec.events.record import Body
from dsh_spec.events.v0 import V0
from dsh_spec.events.v1 import V1
from dsh_spec.events.v2 import V2
from dsh_spec.events.v3 import V3
from dsh_spec.events.v4_message import BLOCKS
from dsh_spec.events.v4_types import CHECKED_TYPES, CORE_TYPES, EVENT_TYPES, SURFACE_TYPES
from dsh_spec.events.vocabulary import Vocabulary

#: The vocabulary of format v4.
V4: Final = Vocabulary(
    format=4,
    types=EVENT_TYPES,
    surface=SURFACE_TYPES,
    core=CORE_TYPES,
    checked=CHECKED_TYPES,
    blocks=BLOCKS,
)

#: Each format with its vocabulary.
VOCABULARIES: Final[Mapping[Format, Vocabulary]] = MappingProxyType(
    {0: V0, 1: V1, 2: V2, 3: V3, 4: V4}
)


def event_types(format: Format) -> Mapping[str, type[Body]]:  # noqa: A002 - the word for it
    """Each type of a format's vocabulary with the class of its body: 51, 51, 51, 58 and 62."""
    return VOCABULARIES[format].types


def surface_types(format: Format) -> frozenset[str]:  # noqa: A002 - the word for it
    """The types of a format whose events stand on the surface (SURF-TYPES)."""
    return VOCABULARIES[format].surface
