"""What a store takes over of an older log: the chain to its format, judged at the end."""

from collections.abc import Mapping
from typing import Any

from dsh_reference.migrate import migrate, upgrade
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_spec.refusals import RefusalKind

HEADER: Mapping[str, Any] = {
    "version": 2,
    "id": "s",
    "createdAt": 0,
    "isSeeded": False,
    "delegationDepth": 0,
}
SPLICE = {
    "target": "next-turn",
    "start": 0,
    "inserted": [{"id": "m", "role": "user", "content": [], "source": {"kind": "user"}}],
}


def log_of(*events: tuple[str, Any]) -> SessionLog:
    rows = tuple(
        {"type": kind, "seq": seq, "time": 0, "data": data}
        for seq, (kind, data) in enumerate(events)
    )
    return SessionLog(header=HEADER, inherited=0, events=rows)


def test_a_log_in_order_is_what_the_chain_makes_of_it() -> None:
    log = log_of(("turn/start", {"turn": 1}))
    assert upgrade(log, to=3) == migrate(log, to=3)
    assert upgrade(log, to=4) == migrate(log)


def test_v3_refuses_what_is_out_of_order_and_the_edges_alone_do_not() -> None:
    log = log_of(("turn/start", {"turn": 2}))
    assert isinstance(migrate(log, to=3), SessionLog)
    refused = upgrade(log, to=3)
    assert isinstance(refused, Refusal)
    assert (refused.rule, refused.kind) == ("REL-TURN", RefusalKind.UNSUPPORTED_MIGRATION)


def test_v3_refuses_a_restart_that_v4_mends() -> None:
    log = log_of(
        ("turn/start", {"turn": 1}), ("agent/inbox/spliced", SPLICE), ("turn/start", {"turn": 2})
    )
    assert isinstance(upgrade(log, to=4), SessionLog)
    refused = upgrade(log, to=3)
    assert isinstance(refused, Refusal)
    assert refused.rule == "REL-TURN"
