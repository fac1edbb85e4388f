"""Migration: a log of an older format as the newest one has it, or the rule that forbids it.

Every edge leads from one format to the next, is a package of its own, and takes and returns whole
logs.  Nothing is guessed: an edge converts what it understands and refuses the rest, and the
stored log stays as it is.

What is kept: all that the model is shown but for what a format says in other words
(MIG-KEEP-DERIVED), token counts (MIG-KEEP-USAGE), provider, model and replay state
(MIG-KEEP-PROVIDER), times (MIG-KEEP-TIME), the seq that an id was minted with (MIG-CUMULATIVE-SEQ),
the words of a title request (MIG-TITLE-TEXT), and an open end (MIG-OPEN-TAIL), which no edge closes
(MIG-BEFORE-REPAIR).
The result depends on the arguments alone (MIG-PURE), and its inherited prefix holds the images of
the inherited events (MIG-CUT).
What an edge cannot take is an unsupported migration (MIG-WRAP).
"""

from dsh_reference.migrate.chain import migrate
from dsh_reference.migrate.children import ChildFact, read_children
from dsh_reference.migrate.collect import child_fact, is_child
from dsh_reference.migrate.header import migrate_header
from dsh_reference.migrate.upgrade import upgrade
from dsh_reference.migrate.v0_to_v1 import v0_to_v1
from dsh_reference.migrate.v1_to_v2 import v1_to_v2
from dsh_reference.migrate.v2_to_v3 import v2_to_v3
from dsh_reference.migrate.v3_to_v4 import v3_to_v4
from dsh_reference.migrate.verify import verify

__all__ = [
    "ChildFact",
    "child_fact",
    "is_child",
    "migrate",
    "migrate_header",
    "read_children",
    "upgrade",
    "v0_to_v1",
    "v1_to_v2",
    "v2_to_v3",
    "v3_to_v4",
    "verify",
]
