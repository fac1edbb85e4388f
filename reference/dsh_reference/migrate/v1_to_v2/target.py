"""The target: what an edge emits, numbered, with its references and its cut.

The seqs of v2 are those of emission.  References are moved when their event is emitted, so one to
an event that is not out yet leads nowhere, as does one to a chunk.  The cut is no number any more:
a marker stands at it.
"""

from collections.abc import Mapping

from attrs import define, field

from dsh_reference.migrate.references import OLD_ENDPOINTS, Dangling, moves, remap
from dsh_reference.migrate.refuse import unsupported
from dsh_reference.migrate.v1_to_v2.emission import Emission
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_spec.values import Json, JsonObject


@define(kw_only=True)
class Target:
    """The events of v2 so far."""

    #: The log of v1.
    source: SessionLog
    #: The events of v2.
    events: list[JsonObject] = field(factory=list)
    #: The seq of the marker of the inherited prefix, once there is one.
    marker: int | None = None
    _targets: dict[int, int] = field(factory=dict)

    def add(self, emission: Emission) -> Refusal | None:
        """Number one more event, behind the marker if it is the first that was not inherited.

        Source: MIG12-DENSE, MIG12-REFS, MIG12-REFS-CONSUMED, MIG12-CUT-MARKER (facts: migration
        §2.1, §2.6).
        """
        event = emission.event
        if self._is_marker(emission):
            event = {**event, "data": {"inherited": True}}
            # A goal's message overtakes what is held back, so there may be a marker already; the
            # last one counts (MIG23-CUT).
            self.marker = len(self.events)
        elif emission.origin >= self.source.inherited:
            self.mark(event.get("time"))
        if emission.is_image:
            self._targets[emission.origin] = len(self.events)
        moved = remap(event, moves(self._targets), read=OLD_ENDPOINTS, write=OLD_ENDPOINTS)
        if isinstance(moved, Dangling):
            problem = (
                f"{moved.path} refers to {moved.seq}, which is a chunk or does not come before"
            )
            return unsupported(emission.origin, "MIG12-REFS-CONSUMED", problem)
        self._append(moved)
        return None

    def mark(self, time: Json) -> None:
        """Put the marker of a seeded log in, if it is not there yet."""
        if self.source.header["isSeeded"] and self.marker is None:
            self.marker = len(self.events)
            data = {"inherited": True}
            self._append({"type": "session/end-seed", "seq": 0, "time": time, "data": data})

    def _append(self, event: Mapping[str, Json]) -> None:
        self.events.append({**event, "seq": len(self.events)})

    def _is_marker(self, emission: Emission) -> bool:
        return (
            bool(self.source.header["isSeeded"])
            and emission.is_image
            and emission.origin == self.source.inherited
            and emission.event["type"] == "session/end-seed"
        )
