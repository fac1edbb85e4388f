"""Format v4: the event envelope, and the body of an event whose type is not known."""

from typing import TypeAlias

from attrs import field, frozen

from dsh_spec.events.record import Body
from dsh_spec.values import Json, JsonObject


@frozen(kw_only=True)
class Append:
    """The event becomes the last node of the surface (SURF-FOLD)."""


@frozen(kw_only=True)
class Replace:
    """The event takes the place of a stretch of the surface (SURF-REPLACE-SHAPE)."""

    #: The seq of the first node that it shadows.
    start_seq: int
    #: The seq of the last node that it shadows.
    end_seq: int


#: What an event does to the surface.
SurfaceOp: TypeAlias = Append | Replace


@frozen(kw_only=True)
class Unknown(Body):
    """The body of a type that is not in the vocabulary (IGN-UNKNOWN-V4)."""

    #: The value of ``data``, as it came.
    value: Json
    #: The keys ``surfaceOp`` and ``sourceEventSeqs``, as they came; they mean nothing here
    #: (SURF-UNKNOWN-IGNORABLE-OPAQUE).
    metadata: JsonObject = field(factory=dict)


@frozen(kw_only=True)
class Event:
    """One event of a log (ENV-KEYS)."""

    #: What kind of event it is.
    type: str
    #: Its place in the log, counted from 0 (ENV-SEQ-CONTIGUOUS).
    seq: int
    #: When it was written, in ms since 1970 UTC; may be negative, and may go back (ENV-TIME-INT).
    time: int
    #: What it says.
    data: Body
    #: What it does to the surface; present exactly on the types that have a place there.
    surface_op: SurfaceOp | None = None
    #: The seqs of the events that it was made from (SRC-ARRAY).
    source_event_seqs: tuple[int, ...] | None = None
    #: Whether a reader that does not know the type may skip it (IGN-MEANING).
    ignorable: bool = False
