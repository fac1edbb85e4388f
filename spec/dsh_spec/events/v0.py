"""Format v0: the 51 types of format v1, in their canonical spelling.

Older spellings (``compact/start``, ``steering/message``, messages without an identity, ...) were
written under the same number.  They are no part of this vocabulary: the edge to v1 rewrites them,
and then asks what it has rewritten for the payloads that are declared here.
"""

from types import MappingProxyType
from typing import Final

from attrs import evolve

from dsh_spec.events.v1 import V1
from dsh_spec.events.v2 import DeliveryAccepted
from dsh_spec.events.v2_message import SessionReference
from dsh_spec.events.vocabulary import Vocabulary

#: The vocabulary of format v0.
V0: Final[Vocabulary] = evolve(
    V1,
    format=0,
    missing=MappingProxyType(
        {
            **V1.missing,
            DeliveryAccepted: frozenset({"session_format_version"}),
            SessionReference: frozenset({"captured_format_version"}),
        }
    ),
)
