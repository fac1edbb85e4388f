"""Developer messages: the tools that they add were declared by the header that they name."""

from dsh_reference.admit.log import Broken, Log, broken
from dsh_reference.surface.developer import check_tools
from dsh_reference.surface.history import History


def check_additions(log: Log) -> Broken | None:
    """Hold every added tool to its declaration.

    Source: DEV-HEADER-REF, DEV-HEADER-TOOL (facts: events §4.2).
    """
    events = [entry.event for entry in log.entries]
    history = History(events=events, base_seq=0, nodes=(), projected={})
    for event in events:
        refusal = check_tools(event, history)
        if refusal is not None:
            return broken(event, refusal.rule, refusal.problem)
    return None
