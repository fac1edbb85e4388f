"""Where the inherited prefix of a log ends: the header does not say it, a marker event does."""

from collections.abc import Mapping, Sequence

from dsh_reference.refusal import Refusal
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import JsonObject


def is_cut(event: JsonObject) -> bool:
    """Whether *event* is a ``session/end-seed`` with ``inherited`` exactly true."""
    data = event.get("data")
    marks = isinstance(data, Mapping) and data.get("inherited") is True
    return marks and event.get("type") == "session/end-seed"


def inherited_count(header: JsonObject, events: Sequence[JsonObject]) -> int | Refusal:
    """Return the seq of the last marker in a log; 0 for an unseeded one.

    A seeded log must have a marker, and an unseeded one must have none
    (CUT-V2PLUS; facts: events §2.3).
    """
    cuts = [seq for seq, event in enumerate(events) if is_cut(event)]
    if bool(cuts) is (header["isSeeded"] is True):
        return cuts[-1] if cuts else 0
    return Refusal(
        kind=RefusalKind.CORRUPT,
        rule="CUT-V2PLUS",
        where="log",
        problem=f"the header says isSeeded: {str(not cuts).lower()}, the log says otherwise",
    )
