"""The model of a handle-seam store: what every backend's answers are held against.

Storage holds *sessions*; a *process* is one running instance of the store with its own handles.
A created session is *pending*: visible to the process that created it and to nobody else, and gone
when its creator closes it or dies.  Its first batch, or a flush, *materialises* it: from then on it
is in storage.  At most one handle at a time may write a session.  A flush makes what was appended
so far survive a crash; an orderly shutdown keeps everything that was appended.

`decide` says what one operation must come to, and the world after it.  `shutdown` and `crash` are
the two ends of a process.  Nothing here reads a clock, a file or a random number.
"""

from dsh_reference.store.decision import Accept, Decision, Refuse
from dsh_reference.store.life import adopt, crash, damage, shutdown
from dsh_reference.store.model import decide
from dsh_reference.store.operations import (
    Append,
    Close,
    Create,
    Flush,
    FlushAll,
    ListAll,
    Open,
    Operation,
    Read,
    Stat,
)
from dsh_reference.store.state import Handle, Promises, Session, Trouble, World

__all__ = [
    "Accept",
    "Append",
    "Close",
    "Create",
    "Decision",
    "Flush",
    "FlushAll",
    "Handle",
    "ListAll",
    "Open",
    "Operation",
    "Promises",
    "Read",
    "Refuse",
    "Session",
    "Stat",
    "Trouble",
    "World",
    "adopt",
    "crash",
    "damage",
    "decide",
    "shutdown",
]
