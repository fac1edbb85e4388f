"""The cut of a log of format v2 or later: it is where the last inherited marker stands."""

from dsh_reference.migrate.refuse import unsupported
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_spec.values import Json, is_object


def check_cut(log: SessionLog, rule: str) -> Refusal | None:
    """Say where the markers of a log, its header and its stated cut disagree.

    Source: MIG23-CUT, MIG34-CUT; *rule* is which (facts: migration §3.1, §4.1).
    """
    marks = [seq for seq, event in enumerate(log.events) if is_mark(event)]
    if bool(marks) is not log.header["isSeeded"]:
        says = "has" if marks else "lacks"
        return unsupported(None, rule, f"it {says} an inherited end-seed, against its header")
    if log.inherited != (marks[-1] if marks else 0):
        return unsupported(None, rule, f"{log.inherited} events are not its inherited prefix")
    return None


def is_mark(event: Json) -> bool:
    """Tell whether an event is an inherited marker."""
    if not is_object(event) or event.get("type") != "session/end-seed":
        return False
    data = event.get("data")
    return is_object(data) and data.get("inherited") is True
