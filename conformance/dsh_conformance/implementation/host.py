"""The adapter protocol over a Python backend, for ``serve`` and for tests in process alike.

A host is first idle; ``initialize`` gives it a workspace, ``store/closeWorkspace`` takes it away,
and ``store/openWorkspace`` gives it another, on which a new backend begins without a memory of the
old one.

The host also looks for *aliasing*: after ``store/create`` and ``store/append`` it changes the
objects that it passed to the backend, and after a call that reads those that it was given.
A backend that keeps, or hands out, an object instead of a copy then breaks a rule that the suite
sees (STORE-SNAPSHOT-ARGS, STORE-APPEND-ONLY); otherwise the text between the two would hide it.
"""

import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TextIO, TypeAlias

from dsh_conformance.implementation import wire
from dsh_conformance.implementation.backend import (
    Refuse,
    StoreBackend,
    StoreHandle,
    StoreSeamBackend,
)
from dsh_conformance.implementation.hostile import MarkError, decode_params
from dsh_conformance.implementation.jsonrpc import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    REFUSED,
    Id,
    RpcError,
    error_line,
    read_request,
    result_line,
    write,
)
from dsh_conformance.implementation.port import Port
from dsh_conformance.implementation.seam import SEAM_METHODS
from dsh_spec.catalogue import Seam
from dsh_spec.values import Json, JsonObject

#: What is put into the arguments of ``store/create`` and ``store/append`` after the call.
PLANTED = "$changedAfterTheCall"

#: What is put into the result of a call that reads after it was taken over.
PLANTED_IN_RESULT = "$changedAfterTheRead"

#: The calls that read events.
_READING = frozenset({"store/read", "store/load", "store/inspect", "store/readFrom"})

#: What a host can serve.
Served: TypeAlias = StoreBackend | StoreSeamBackend | Port
#: What makes it: the workspace directory and its configuration.
AnyFactory: TypeAlias = Callable[[Path, Mapping[str, str]], Served]


class Host:
    """Serves one backend at a time."""

    def __init__(self, factory: AnyFactory, config: Mapping[str, str]) -> None:
        self._factory = factory
        self._config = config
        self._initialised = False
        self._backend: Served | None = None
        self._seam: Seam = "handle"
        self._handles: dict[int, StoreHandle] = {}
        self._issued = 0

    def handle(self, method: str, params: dict[str, Json]) -> str:
        """Carry out one call and return its result as JSON text.

        *params* belong to the host from now on.
        Raises `RpcError`: a refusal, a misunderstanding, or a crash of the backend, whose
        exception is then its cause.
        """
        operation = self._operation(method)
        if operation is None:
            raise RpcError(METHOD_NOT_FOUND, f"no method {method!a:.80}")
        problem = wire.problem(method, "params", params, self._seam)
        if problem:
            raise RpcError(INVALID_PARAMS, problem)
        try:
            decode_params(params)
        except MarkError as error:
            raise RpcError(INVALID_PARAMS, str(error)) from None
        try:
            return _carried_out(self, method, operation, params)
        finally:
            if method in ("store/create", "store/append"):
                plant(params, PLANTED)

    def shutdown(self) -> None:
        """End the backend in order, where there is one."""
        backend, self._backend = self._backend, None
        self._handles.clear()
        if backend is not None and not isinstance(backend, Port):
            backend.shutdown()

    def crash(self) -> None:
        """Drop the backend as a killed process would."""
        backend, self._backend = self._backend, None
        self._handles.clear()
        if backend is not None and not isinstance(backend, Port):
            backend.crash()

    def initialize(self, params: dict[str, Any]) -> object:
        """Begin on the first workspace."""
        if self._initialised:
            raise RpcError(INVALID_REQUEST, "already initialised")
        self._begin(params["workspace"])
        self._initialised = True
        assert self._backend is not None
        if isinstance(self._backend, StoreSeamBackend):
            self._seam = "store"
        return wire.write_capabilities(self._backend.capabilities)

    def open_workspace(self, params: dict[str, Any]) -> object:
        """Begin on another workspace; one that is still open is closed first."""
        if not self._initialised:
            raise RpcError(INVALID_REQUEST, "initialize comes first")
        self.shutdown()
        self._begin(params["workspace"])
        return {}

    def close_workspace(self, _params: dict[str, Any]) -> object:
        """End what was begun on the workspace."""
        if self._backend is None:
            raise RpcError(INVALID_REQUEST, "no workspace is open")
        self.shutdown()
        return {}

    def create(self, params: dict[str, Any]) -> object:
        """Create a session."""
        handle = self._serving().create(params["header"], params.get("inheritedEventCount"))
        return {"handle": self._issue(handle)}

    def open(self, params: dict[str, Any]) -> object:
        """Open a session."""
        handle = self._serving().open(params["id"], params["access"])
        return {
            "handle": self._issue(handle),
            "header": handle.header,
            "inheritedEventCount": handle.inherited_event_count,
        }

    def read(self, params: dict[str, Any]) -> object:
        """Read events."""
        events = self._held(params).read(params.get("offset", 0), params.get("length"))
        return {"events": events}

    def append(self, params: dict[str, Any]) -> object:
        """Append events."""
        self._held(params).append(params["events"])
        return {}

    def flush(self, params: dict[str, Any]) -> object:
        """Flush a handle, or every one."""
        (self._held(params) if "handle" in params else self._serving()).flush()
        return {}

    def close(self, params: dict[str, Any]) -> object:
        """Close a handle, which stays known: what a closed one answers, the backend says."""
        self._held(params).close()
        return {}

    def stat(self, params: dict[str, Any]) -> object:
        """Look at one session."""
        return {"snapshot": self._serving().stat(params["id"])}

    def list(self, _params: dict[str, Any]) -> object:
        """Look at all sessions."""
        return {"snapshots": self._serving().list()}

    def locate(self, params: dict[str, Any]) -> object:
        """Name a session's artifact file."""
        return {"path": self._serving().locate(params["id"])}

    def _begin(self, workspace: str) -> None:
        path = Path(workspace)
        if not path.is_absolute() or not path.is_dir():
            raise RpcError(INVALID_PARAMS, f"the workspace {workspace!a} is no absolute directory")
        self._backend = self._factory(path, self._config)

    def answer(self, method: str, params: JsonObject) -> Json:
        """Carry out a method of a pure track."""
        known = self._backend.methods if isinstance(self._backend, Port) else {}
        if method not in known:
            raise RpcError(METHOD_NOT_FOUND, f"no method {method!a:.80}")
        return known[method](params)

    def call_seam(self, method: str, params: dict[str, Any]) -> object:
        """Carry out a method of the store seam."""
        if not isinstance(self._backend, StoreSeamBackend):
            raise RpcError(INVALID_REQUEST, "no workspace is open")
        return SEAM_METHODS[method](self._backend, params)

    def _operation(self, method: str) -> "_Operation | None":
        if self._seam == "store" and method in SEAM_METHODS:
            return lambda host, params: host.call_seam(method, params)
        if self._seam == "store" and method not in _OF_BOTH_SEAMS:
            return None
        return METHODS.get(method) or _pure(method)

    def _serving(self) -> StoreBackend:
        if isinstance(self._backend, Port):
            raise RpcError(METHOD_NOT_FOUND, "a port has no store")
        if self._backend is None:
            raise RpcError(INVALID_REQUEST, "no workspace is open")
        assert not isinstance(self._backend, StoreSeamBackend)
        return self._backend

    def _issue(self, handle: StoreHandle) -> int:
        self._issued += 1
        self._handles[self._issued] = handle
        return self._issued

    def _held(self, params: dict[str, Any]) -> StoreHandle:
        self._serving()
        number = params["handle"]
        if number not in self._handles:
            raise RpcError(INVALID_PARAMS, f"no handle {number}")
        return self._handles[number]


def answer_line(host: Host, line: bytes, log: TextIO) -> bytes:
    """Answer one request line with one line; the traceback of a crash goes to *log*."""
    identifier: Id = None
    try:
        request = read_request(line)
        identifier = request.id
        return result_line(identifier, host.handle(request.method, request.params))
    except RpcError as error:
        if error.__cause__:
            traceback.print_exception(error.__cause__, file=log)
        return error_line(identifier, error)


def plant(value: object, mark: str) -> None:
    """Put *mark* into every list and dict in *value*, so that whoever kept one shows it."""
    stack, seen = [value], {id(value)}
    while stack:
        node = stack.pop()
        inner = node.values() if type(node) is dict else node if type(node) is list else ()
        fresh = [child for child in inner if id(child) not in seen]
        seen.update(map(id, fresh))
        stack += fresh
        if type(node) is dict:
            node[mark] = True
        elif type(node) is list:
            node.append(mark)


_Operation = Callable[[Host, dict[str, Any]], object]

#: Every method of the protocol that the host serves.
METHODS: Mapping[str, _Operation] = {
    "initialize": Host.initialize,
    "store/openWorkspace": Host.open_workspace,
    "store/closeWorkspace": Host.close_workspace,
    "store/create": Host.create,
    "store/open": Host.open,
    "store/read": Host.read,
    "store/append": Host.append,
    "store/flush": Host.flush,
    "store/close": Host.close,
    "store/stat": Host.stat,
    "store/list": Host.list,
    "store/locate": Host.locate,
}

#: The methods that say where a host works, and not what it stores.
_OF_BOTH_SEAMS = frozenset({"initialize", "store/openWorkspace", "store/closeWorkspace"})


def _pure(method: str) -> _Operation | None:
    """Return what carries out a method of a pure track."""
    if not method.startswith(("core/", "migration/", "files/")):
        return None
    return lambda host, params: host.answer(method, params)


def _carried_out(host: Host, method: str, operation: _Operation, params: dict[str, Json]) -> str:
    try:
        result = operation(host, params)
        text = write(result)
        if method in _READING:
            plant(result, PLANTED_IN_RESULT)
    except Refuse as refusal:
        data: dict[str, Json] = {"kind": refusal.kind}
        if refusal.rule is not None:
            data["rule"] = refusal.rule
        raise RpcError(REFUSED, str(refusal), data) from None
    except RpcError:
        raise
    except Exception as error:
        raise RpcError(INTERNAL_ERROR, f"{type(error).__name__}: {error}") from error
    return text
