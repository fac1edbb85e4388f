"""The witnesses of every edge, in the order in which they are asked of a result.

The first check that fails gives a wrong result its rule.  So within an edge what shows in few logs
comes before what shows in many, and what is about one member before what is about a whole event.
What is only accepted comes first of all, since a refusal fails every check.
"""

from dsh_conformance.tracks.migration.witness import Witness
from dsh_conformance.tracks.migration.witnesses import (
    every_edge,
    v0_to_v1,
    v1_to_v2,
    v2_to_v3,
    v3_to_v4,
)

#: All of them.
WITNESSES: tuple[Witness, ...] = (
    *v0_to_v1.ACCEPTED,
    *v2_to_v3.ACCEPTED,
    *every_edge.ACCEPTED,
    *every_edge.FIRST,
    *v0_to_v1.WITNESSES,
    *v1_to_v2.WITNESSES,
    *v2_to_v3.WITNESSES,
    *every_edge.NARROW,
    *v3_to_v4.WITNESSES,
    *every_edge.WIDE,
)
