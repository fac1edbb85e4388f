"""The cut: where the inherited part of a log ends."""

from dsh_reference.admit.log import Broken, Log
from dsh_spec.events import EndSeed


def check_cut(log: Log) -> Broken | None:
    """Hold the log's markers to its header, and the stated count to the last of them.

    Source: CUT-V2PLUS, CUT-EXACT (facts: events §2.3).
    """
    marks = [
        entry.event.seq
        for entry in log.entries
        if isinstance(entry.event.data, EndSeed) and entry.event.data.inherited
    ]
    end = len(log.entries)
    if bool(marks) != log.header["isSeeded"]:
        problem = (
            "a log that is not seeded has an inherited end-seed"
            if marks
            else "a seeded log has no inherited end-seed"
        )
        return Broken(seq=end, rule="CUT-V2PLUS", problem=problem)
    if log.inherited != (marks[-1] if marks else 0):
        problem = f"{log.inherited} events are said to be inherited, but the log says otherwise"
        return Broken(seq=end, rule="CUT-EXACT", problem=problem)
    return None
