"""Whose events a delivery record may speak of."""

from dsh_spec.values import Json, JsonObject


def is_foreign(named: Json, seq: int, *, header: JsonObject, inherited: int) -> bool:
    """Tell whether a delivery record that counts in the log's own format names another session.

    Before the cut of a session that has a parent it may: there it was inherited.

    Source: DELIV-OWNER (facts: events §4.9).
    """
    is_inherited = "parentSession" in header and seq < inherited
    return named != header.get("id") and not is_inherited
