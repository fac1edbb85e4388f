"""Requests: a member of the request header that nothing came of."""

from collections.abc import Sequence

from dsh_reference.migrate.refuse import unsupported
from dsh_reference.migrate.v0_to_v1.normalisation import payload
from dsh_reference.refusal import Refusal
from dsh_spec.values import JsonObject, is_object


def drop_message_prefix(event: JsonObject, seq: int) -> JsonObject | Refusal:
    """Take the ``messagePrefix`` from a request header (MIG01-MSGPREFIX)."""
    if event["type"] != "request/header":
        return event
    data = payload(event)
    header = data.get("header")
    if not is_object(header) or "messagePrefix" not in header:
        return event
    prefix = header["messagePrefix"]
    if not isinstance(prefix, Sequence) or isinstance(prefix, str):
        return unsupported(seq, "MIG01-MSGPREFIX", "its messagePrefix is no list")
    kept = {key: value for key, value in header.items() if key != "messagePrefix"}
    return {**event, "data": {**data, "header": kept}}
