"""The wire schemas: they agree with the protocol's words and with the Python values."""

import json
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

from dsh_conformance.implementation import wire
from dsh_conformance.implementation.capabilities import (
    Capabilities,
    ImplementationInfo,
    StoreClaims,
)
from dsh_conformance.implementation.host import METHODS
from dsh_spec.refusals import RefusalKind

DOCUMENTS = sorted(
    files("dsh_spec").joinpath("schema", "wire").iterdir(), key=lambda path: path.name
)

CAPABILITIES = [
    Capabilities(
        implementation=ImplementationInfo(name="n", version="1", language="Rust"),
        store=StoreClaims(
            seam="handle",
            format=4,
            durable=True,
            cross_process_lock=True,
            artifacts="jsonl.zstd",
            migrates_from=(0, 3),
        ),
        others={"core": {"formats": [4]}},
        hostile_values=True,
    ),
    Capabilities(
        implementation=ImplementationInfo(name="n", version="1", language="Rust"),
        store=None,
        others={"files": {"formats": [0], "compression": ["zstd"]}},
    ),
]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_a_schema_is_a_schema(path: Any) -> None:
    jsonschema.Draft7Validator.check_schema(json.loads(path.read_text("utf-8")))


@pytest.mark.parametrize("capabilities", CAPABILITIES)
def test_capabilities_survive_the_wire(capabilities: Capabilities) -> None:
    result = json.loads(json.dumps(wire.write_capabilities(capabilities)))
    assert wire.problem("initialize", "result", result) is None
    assert wire.read_capabilities(result) == capabilities


def test_every_method_of_the_host_has_a_schema() -> None:
    assert all(wire.is_method(method) for method in METHODS)


@pytest.mark.parametrize("kind", RefusalKind)
def test_every_kind_of_refusal_is_known(kind: RefusalKind) -> None:
    assert wire.refusal_problem({"kind": str(kind), "rule": "STORE-FRESH", "detail": [1]}) is None


@pytest.mark.parametrize(
    ("method", "side", "value", "problem"),
    [
        ("store/read", "params", {}, "params must contain ['handle'] properties"),
        ("store/read", "params", {"handle": 1, "offset": -0.5}, None),
        ("store/read", "result", {"events": {}}, "result.events must be array"),
        ("store/create", "params", {"header": None}, None),
        ("store/open", "params", {"id": "", "access": "rw"}, "params.access must be one of"),
        ("store/append", "params", {"handle": 1, "events": {"$hostile": "set"}}, None),
        ("store/flush", "params", {}, None),
        ("store/list", "params", {"x": 1}, "params must not contain {'x'} properties"),
        ("store/stat", "result", {"snapshot": None}, None),
        ("store/stat", "result", {"snapshot": {"header": {}, "revision": 7}}, "must be string"),
        ("store/stat", "result", {"snapshot": {"header": {}, "revision": "", "x": 1}}, None),
        ("store/list", "result", {"snapshots": [None]}, "result.snapshots[0] must be object"),
        ("core/fold", "params", 7, "params must be object"),
        ("live/append", "params", 7, None),
    ],
)
def test_a_broken_shape_is_told_by_its_place(
    method: str, side: Any, value: Any, problem: str | None
) -> None:
    found = wire.problem(method, side, value)
    assert (found is None) if problem is None else problem in str(found)
