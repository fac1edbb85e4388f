"""The session: what a log of any format comes to, and what a session makes of it.

Everything here takes and gives plain JSON: the logical header, and logical events, of a named
format.  A difference between formats stands where the rule stands.

- `fold` gives the surface of a log or of a window of one, `derive` the messages on it, `transcript`
  the messages that were appended, whatever was replaced since.
- `request_header`, `request_context` and `tool_history` give the state of requests.
- `append` makes the next event of a log or refuses it.
- `fork` makes the log of a child, `seed` the log that a session begins with.
- `load` says whether a stored log is accepted.
- `watch` is the companion that holds a log to the order of turns, steps and calls.

Closers are those of :mod:`dsh_reference.closers`.
"""

from dsh_reference.session.append import append
from dsh_reference.session.companion import watch
from dsh_reference.session.fold import Folded, fold
from dsh_reference.session.forking import fork
from dsh_reference.session.load import load
from dsh_reference.session.requests import request_context, request_header, tool_history
from dsh_reference.session.seeding import Mode, seed
from dsh_reference.session.shown import derive, last_message_turn_end, transcript

__all__ = [
    "Folded",
    "Mode",
    "append",
    "derive",
    "fold",
    "fork",
    "last_message_turn_end",
    "load",
    "request_context",
    "request_header",
    "seed",
    "tool_history",
    "transcript",
    "watch",
]
