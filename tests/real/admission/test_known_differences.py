"""Where the real runtime judges a stored log otherwise than the reference, and why.

A case that is judged alike again fails here: then take it out, and what `_known` allows for it.
"""

from typing import Any

import pytest

from dsh_spec.values import JsonObject

TURN: JsonObject = {"type": "turn/start", "seq": 0, "time": 0, "data": {"turn": 1}}
CONFIG: JsonObject = {"provider": "p", "model": "m"}


def request(data: JsonObject) -> list[JsonObject]:
    return [TURN, {"type": "request/header", "seq": 1, "time": 0, "data": data}]


#: Reading leaves it to whoever builds a session from the log; for such a user the log is broken.
SESSION = "the runtime checks the shape of this payload only when it builds a session from the log"
#: What the runtime takes for a broken order may be the doing of the event that it does not know.
ORDER = "the runtime checks the order of turns and steps before it looks for unknown types"

KNOWN = {
    "no provider": (SESSION, request({"header": {"config": {}}, "reason": "initial"})),
    "no reason": (SESSION, request({"header": {"config": CONFIG}})),
    "default without a value": (
        SESSION,
        request(
            {
                "header": {"config": CONFIG, "adapterDefaults": {"maxTokens": True}},
                "reason": "initial",
            }
        ),
    ),
    "unknown type and broken order": (
        ORDER,
        [
            {"type": "acme/new", "seq": 0, "time": 0, "data": {}},
            {"type": "step/start", "seq": 1, "time": 0, "data": {"turn": 1, "step": 1}},
        ],
    ),
}


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param(rows, id=name, marks=pytest.mark.xfail(strict=True, reason=reason))
        for name, (reason, rows) in KNOWN.items()
    ],
)
def test_a_known_difference(plain: Any, rows: list[JsonObject]) -> None:
    assert plain.difference(plain.write([rows]), known=False) is None
