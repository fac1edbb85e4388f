"""The methods of the store seam over a Python backend."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from dsh_conformance.implementation.backend import SessionData, StoreSeamBackend

#: Carries out one method: a backend and the parameters to the result.
SeamMethod: TypeAlias = Callable[[StoreSeamBackend, dict[str, Any]], object]


def _create(backend: StoreSeamBackend, params: dict[str, Any]) -> object:
    backend.create(params["header"])
    return {}


def _append(backend: StoreSeamBackend, params: dict[str, Any]) -> object:
    backend.append(params["id"], params["events"])
    return {}


def _load(backend: StoreSeamBackend, params: dict[str, Any]) -> object:
    return _log(backend.load(params["id"]))


def _inspect(backend: StoreSeamBackend, params: dict[str, Any]) -> object:
    return _log(backend.inspect(params["id"]))


def _read_from(backend: StoreSeamBackend, params: dict[str, Any]) -> object:
    return _log(backend.read_from(params["id"], params["fromSeq"]))


def _list(backend: StoreSeamBackend, _params: dict[str, Any]) -> object:
    return {"headers": backend.list()}


def _list_snapshots(backend: StoreSeamBackend, _params: dict[str, Any]) -> object:
    return {"snapshots": backend.list_snapshots()}


def _locate(backend: StoreSeamBackend, params: dict[str, Any]) -> object:
    return {"path": backend.locate(params["id"])}


def _log(found: SessionData) -> object:
    return {"header": found.header, "events": found.events}


#: Every method of the seam, the workspaces' aside.
SEAM_METHODS: Mapping[str, SeamMethod] = MappingProxyType(
    {
        "store/create": _create,
        "store/append": _append,
        "store/load": _load,
        "store/inspect": _inspect,
        "store/readFrom": _read_from,
        "store/list": _list,
        "store/listSnapshots": _list_snapshots,
        "store/locate": _locate,
    }
)
