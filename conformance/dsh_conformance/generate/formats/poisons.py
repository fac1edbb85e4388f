"""Events of an older format that a store may take, and that every reader of it refuses.

A reader of v3 looks at one event at a time, so only breaches that show in one event are among them:
a message that could go into no request, a marker that the header has no room for, and a type that
the format does not know.

Source: observed on 0.1.5rc1; facts events §1.2 (IGN-*) and §2.3 (CUT-V2PLUS).
"""

from typing import Final

from dsh_conformance.generate.breaches import POISONS, STRANGERS
from dsh_conformance.generate.breaches.breach import Breach, developer, here, surface
from dsh_conformance.generate.formats.spelling import spelled
from dsh_conformance.generate.formats.state import PastState
from dsh_conformance.generate.state import Raw, State
from dsh_conformance.generate.voice import text
from dsh_spec.refusals import RefusalKind

#: The rules of one event alone.
ALONE: Final = frozenset({"CUT-V2PLUS", "MSG-FIELDS", "MSG-ROLES", "SRC-ASSISTANT"})


def _newer(state: State) -> Raw | None:
    """What v4 has its developers say, in its own words."""
    return surface(state, "developer/message", developer(state, text("a")))


def _settled(state: State) -> Raw | None:
    return {"type": "job/settled", "seq": state.seq, "time": state.time, "data": here(state)}


_POISONS: Final = tuple(each for each in POISONS if each.rule in ALONE)
_STRANGERS: Final = (
    *STRANGERS,
    Breach("INV-VOCAB", "message of a newer format", _newer, kind=RefusalKind.UNSUPPORTED_FORMAT),
    Breach("INV-VOCAB", "record of a newer format", _settled, kind=RefusalKind.UNSUPPORTED_FORMAT),
)


def poisons(state: PastState, *, strangers: bool) -> list[tuple[Raw, RefusalKind]]:
    """Return the events that are possible in a state, each with how a reader refuses it.

    Only required events of unknown types are among them where *strangers* says so.
    """
    written = ((each.write(state), each.kind) for each in (_STRANGERS if strangers else _POISONS))
    found = [(spelled(event, state.format), kind) for event, kind in written if event is not None]
    return found or poisons(state, strangers=True)
