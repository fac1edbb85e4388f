"""An expectation and the answer that missed it are brought into one shape."""

import pytest

from dsh_conformance.report.demand import comparable
from dsh_spec.values import Json

EVENTS: Json = [{"seq": 0}, {"seq": 2}]


@pytest.mark.parametrize(
    ("expected", "actual", "sides"),
    [
        (1, 2, (1, 2)),
        ({"is": "refused-as"}, {"result": {}}, ({"refusal": "of any kind"}, {"result": {}})),
        (
            {"is": "refused-as", "kinds": ["closed", "other"]},
            {"refusal": "io"},
            ({"refusal": "closed or other"}, {"refusal": "io"}),
        ),
        ({"is": "accepted"}, {"refusal": "io"}, ("a result", {"refusal": "io"})),
        (
            {"is": "equals", "at": ["snapshot", "header"], "value": 1},
            {"result": {"snapshot": {"header": 2, "revision": "..."}}},
            ({"snapshot": {"header": 1}}, {"snapshot": {"header": 2}}),
        ),
        (
            {"is": "equals", "at": ["snapshot"], "value": None},
            {"result": "no object"},
            ({"snapshot": None}, {"snapshot": None}),
        ),
        (
            {"is": "equals", "at": ["events"], "value": EVENTS},
            {"refusal": "corrupt"},
            ({"result": {"events": EVENTS}}, {"refusal": "corrupt"}),
        ),
        (
            {"is": "dense", "start": 0},
            {"result": {"events": EVENTS}},
            ({"seqs": [0, 1]}, {"seqs": [0, 2]}),
        ),
        (
            {"is": "counts", "least": 3},
            {"result": {"events": EVENTS}},
            ({"number of events": "at least 3"}, {"number of events": 2}),
        ),
        (
            {"is": "counts", "least": 3, "most": 3},
            {"result": {"events": EVENTS}},
            ({"number of events": 3}, {"number of events": 2}),
        ),
        (
            {"is": "prefix-of", "events": [{"seq": 0}, {"seq": 1}, {"seq": 2}]},
            {"result": {"events": EVENTS}},
            ({"events": [{"seq": 0}, {"seq": 1}]}, {"events": EVENTS}),
        ),
        (
            {"is": "ids", "ids": ["b", "a"]},
            {"result": {"snapshots": [{"header": {"id": "b"}}]}},
            ({"ids": ["a", "b"]}, {"ids": ["b"]}),
        ),
        (
            {"is": "count-if-given", "at": ["snapshot"], "value": 3},
            {"result": {"snapshot": {"eventCount": 4}}},
            ({"snapshot": {"eventCount": 3}}, {"snapshot": {"eventCount": 4}}),
        ),
        (
            {"is": "inside"},
            {"result": {"inside": False}},
            ("nothing outside the workspace", {"result": {"inside": False}}),
        ),
        ({"is": "unheard-of"}, {"result": 1}, ({"is": "unheard-of"}, {"result": 1})),
    ],
)
def test_comparable(expected: Json, actual: Json, sides: tuple[Json, Json]) -> None:
    assert comparable(expected, actual) == sides
