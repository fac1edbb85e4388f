"""One edge of the migration, alone."""

from collections.abc import Sequence

from dsh_reference.migrate import ChildFact, v0_to_v1, v1_to_v2, v2_to_v3, v3_to_v4
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog


def one_edge(log: SessionLog, children: Sequence[ChildFact]) -> SessionLog | Refusal:
    """Take *log* to the next format; the newest has none, and stays what it is."""
    match log.format:
        case 0:
            return v0_to_v1(log)
        case 1:
            return v1_to_v2(log, decoded=True)
        case 2:
            return v2_to_v3(log)
        case 3:
            return v3_to_v4(log, children=children)
    return log
