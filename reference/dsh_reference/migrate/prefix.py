"""The inherited prefix of a log of v0 or v1, whose header states its length."""

from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_spec.refusals import RefusalKind


def check_prefix(log: SessionLog) -> Refusal | None:
    """Say where more events are said to be inherited than there are.

    It is no lack of a conversion but damage: the prefix was once whole.

    Source: MIG01-CUT (facts: migration §1.1; probed on 0.2.1rc2).
    """
    if log.inherited <= len(log.events):
        return None
    return Refusal(
        kind=RefusalKind.CORRUPT,
        rule="MIG01-CUT",
        where="header",
        problem=f"{log.inherited} of {len(log.events)} events are said to be inherited",
        remedy="Restore the events that are missing at the end of the log.",
    )
