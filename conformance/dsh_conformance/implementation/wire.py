"""The shapes of the messages, checked against the schemas that the spec ships.

A check costs microseconds: schemas are compiled at first use, and what events and headers hold is
not looked into.
"""

import json
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any, Literal, TypeAlias

import fastjsonschema

from dsh_conformance.implementation.capabilities import (
    Capabilities,
    ImplementationInfo,
    StoreClaims,
)
from dsh_spec.catalogue import Seam
from dsh_spec.values import Json, JsonObject

#: The protocol version that this suite speaks.
PROTOCOL = 1

#: The side of a method that is checked.
Side: TypeAlias = Literal["params", "result"]

_DOCUMENTS = ("initialize", "core", "migration", "files")


def problem(method: str, side: Side, value: Json, seam: Seam = "handle") -> str | None:
    """Say how *value* breaks the shape of the method's parameters or result, or nothing.

    The methods of a store are those of its *seam*.
    A method without a schema (another track's) is not checked.
    """
    check = _method_check(method, side, seam)
    return _verdict(check, side, value) if check else None


def is_method(method: str, seam: Seam = "handle") -> bool:
    """Tell whether the method has a schema here."""
    return method in _methods(seam)


def refusal_problem(data: Json) -> str | None:
    """Say how *data* breaks the shape of a refusal's data, or nothing."""
    return _verdict(_envelope_check("refusal"), "error.data", data)


def answer_problem(message: JsonObject) -> str | None:
    """Say how a message breaks the shape of an answer, or nothing."""
    part = "failure" if "error" in message else "success"
    return _verdict(_envelope_check(part), "answer", message)


def read_capabilities(result: JsonObject) -> Capabilities:
    """Structure the result of ``initialize``, whose shape has been checked."""
    checked: Any = result
    tracks = dict(checked["tracks"])
    store = tracks.pop("store", None)
    info = checked["implementation"]
    return Capabilities(
        implementation=ImplementationInfo(
            name=info["name"], version=info["version"], language=info["language"]
        ),
        store=None
        if store is None
        else StoreClaims(
            seam=store["seam"],
            format=store["format"],
            durable=store["durable"],
            cross_process_lock=store["crossProcessLock"],
            artifacts=store["artifacts"],
            migrates_from=tuple(store.get("migratesFrom", ())),
        ),
        others=tracks,
        hostile_values=checked["hostileValues"],
    )


def write_capabilities(capabilities: Capabilities) -> dict[str, Json]:
    """Return the result of ``initialize`` that says *capabilities*."""
    info, store = capabilities.implementation, capabilities.store
    claims: dict[str, Json] = {}
    if store is not None:
        claims["store"] = {
            "seam": store.seam,
            "format": store.format,
            "durable": store.durable,
            "crossProcessLock": store.cross_process_lock,
            "artifacts": store.artifacts,
            "migratesFrom": list(store.migrates_from),
        }
    return {
        "protocol": PROTOCOL,
        "implementation": {
            "name": info.name,
            "version": info.version,
            "language": info.language,
        },
        "tracks": {**claims, **capabilities.others},
        "hostileValues": capabilities.hostile_values,
    }


_Check: TypeAlias = Callable[..., object]


def _verdict(check: _Check, name: str, value: Json) -> str | None:
    try:
        check(value, name_prefix=name)
    except fastjsonschema.JsonSchemaValueException as error:
        return str(error.message)
    return None


@cache
def _document(name: str) -> dict[str, Any]:
    path = files("dsh_spec").joinpath("schema", "wire", f"{name}.schema.json")
    document: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return document["definitions"]  # type: ignore[no-any-return]


@cache
def _methods(seam: Seam) -> dict[str, str]:
    return {
        method: name
        for name in (*_DOCUMENTS, f"store-{seam}")
        for method, definition in _document(name).items()
        if "params" in definition
    }


@cache
def _method_check(method: str, side: Side, seam: Seam) -> _Check | None:
    name = _methods(seam).get(method)
    return None if name is None else _compiled(name, f"{method.replace('/', '~1')}/{side}")


@cache
def _envelope_check(part: str) -> _Check:
    return _compiled("envelope", part)


def _compiled(name: str, pointer: str) -> _Check:
    schema = {"$ref": f"#/definitions/{pointer}", "definitions": _document(name)}
    check: _Check = fastjsonschema.compile(schema)
    return check
