"""Where the inherited prefix of a log ends.

In v0 and v1 the header line says how long it is; since v2 a marker event stands behind it.
"""

from dsh_reference.files.header import HeaderLine
from dsh_reference.refusal import Refusal
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import JsonObject, is_object


def is_cut(event: JsonObject) -> bool:
    """Whether *event* is a ``session/end-seed`` with ``inherited`` exactly true."""
    if event.get("type") != "session/end-seed":
        return False
    data = event.get("data")
    return is_object(data) and data.get("inherited") is True


def inherited_count(first: HeaderLine, marker: int | None, count: int) -> int | Refusal:
    """Return how many of the *count* events of a log are inherited; *marker* is the last one's seq.

    A v0 or v1 log has no more inherited events than events (CUT-V0V1).
    Later, a seeded log must have a marker, and an unseeded one of v4 must have none; in v2 and v3
    that is for the migration to refuse (CUT-V2PLUS; facts: events §2.3, probed on 0.2.1rc2).
    """
    if first.format < 2:
        length = first.seed_length or 0
        problem = f"the header says that {length} events are inherited, the log has {count}"
        return length if length <= count else _corrupt("CUT-V0V1", problem)
    is_seeded = first.header["isSeeded"] is True
    if is_seeded and marker is None:
        return _corrupt("CUT-V2PLUS", "the log is seeded and has no inherited marker")
    if not is_seeded and marker is not None and first.format == 4:
        return _corrupt("CUT-V2PLUS", "the log is not seeded and has an inherited marker")
    return marker if is_seeded and marker is not None else 0


def _corrupt(rule: str, problem: str) -> Refusal:
    return Refusal(kind=RefusalKind.CORRUPT, rule=rule, where="log", problem=problem)
