"""The model of a store-seam store: sessions are named by id on every call, and a load repairs.

A *created* session is only a reserved id, known to one instance and seen by nobody.
Its first batch stores it, and every append is durable when it returns.

The instance *knows* a session from its creation, a load, or an append on: then it appends to it as
it stands, an open turn included.
An append to a session that it does not know *adopts* it: the log is read and repaired as a load
repairs it, and the batch goes behind the repair.

A repair cuts off a torn tail and appends the closers of an open turn.
`Load` commits it, `Inspect` only shows what would come of it, `ReadFrom` does neither.

`decide` says what one operation must come to, and the world after it.
Observed on 0.1.0rc7, JSONL and SQLite alike (facts: persistence §1).
"""

from dsh_reference.store.decision import Decision
from dsh_reference.store.seam.legacy import is_retired, present
from dsh_reference.store.seam.life import damage, end
from dsh_reference.store.seam.model import decide
from dsh_reference.store.seam.operations import (
    Append,
    Create,
    Inspect,
    ListAll,
    ListSnapshots,
    Load,
    Operation,
    ReadFrom,
)
from dsh_reference.store.seam.state import Stored, World
from dsh_reference.store.state import Trouble

__all__ = [
    "Append",
    "Create",
    "Decision",
    "Inspect",
    "ListAll",
    "ListSnapshots",
    "Load",
    "Operation",
    "ReadFrom",
    "Stored",
    "Trouble",
    "World",
    "damage",
    "decide",
    "end",
    "is_retired",
    "present",
]
