"""JSON-RPC 2.0 as the adapter protocol uses it: one message a line, no notifications, no batches.

Lines are written in ASCII, every other character as an escape, so that lone surrogates travel like
any other text.
Lines are read strictly: UTF-8, one JSON value, numbers and strings as the log reads them.
"""

import json
from typing import TypeAlias

from attrs import frozen

from dsh_reference.refusal import Refusal
from dsh_reference.values import parse
from dsh_spec.values import Json, JsonObject

#: The line is not JSON.
PARSE_ERROR = -32700
#: The message is no request, or comes at the wrong time.
INVALID_REQUEST = -32600
#: There is no such method.
METHOD_NOT_FOUND = -32601
#: The parameters do not have the method's shape.
INVALID_PARAMS = -32602
#: What was called broke down.
INTERNAL_ERROR = -32603
#: The implementation refuses; the protocol's one answer besides a result.
REFUSED = -32000

#: The codes that say that the two sides misunderstand each other.
MISUNDERSTANDINGS = frozenset({PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS})

#: The longest line that is read, in bytes.
LINE_LIMIT = 64 * 1024 * 1024

#: What a request is answered to: the suite numbers its requests; null stands for an unreadable one.
Id: TypeAlias = "int | str | None"

_ENCODER = json.JSONEncoder(check_circular=False, allow_nan=False, separators=(",", ":"))


class RpcError(Exception):
    """An answer that is an error."""

    def __init__(self, code: int, message: str, data: Json = None) -> None:
        super().__init__(message)
        #: The JSON-RPC code.
        self.code = code
        #: The words for people.
        self.message = message
        #: For a refusal: ``{kind, rule?, detail?}``.
        self.data = data


class UnreadableError(Exception):
    """A line is no message; its text says why."""


@frozen(kw_only=True)
class Request:
    """One call."""

    #: What the answer must name.
    id: Id
    #: The method's name.
    method: str
    #: Its parameters, by name.
    params: dict[str, Json]


def write(value: object) -> str:
    """Write *value* as one line of ASCII JSON.

    Raises `ValueError`, `TypeError` or `RecursionError` for what is not JSON.
    """
    return _ENCODER.encode(value)


def read(line: bytes) -> Json:
    """Read one line; raises `UnreadableError`."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableError(f"invalid UTF-8 at byte {error.start}") from None
    value = parse(text)
    if isinstance(value, Refusal):
        raise UnreadableError(value.problem)
    return value


def request_line(identifier: int, method: str, params: JsonObject) -> bytes:
    """Write a request, its line end included."""
    return _line({"jsonrpc": "2.0", "id": identifier, "method": method, "params": params})


def read_request(line: bytes) -> Request:
    """Read a request; raises `RpcError` with the error that answers it."""
    try:
        message = read(line)
    except UnreadableError as error:
        raise RpcError(PARSE_ERROR, str(error)) from None
    match message:
        case {"jsonrpc": "2.0", "id": int() | str() as name, "method": str() as method, **rest}:
            params = rest.get("params", {})
            if isinstance(params, dict) and not isinstance(name, bool):
                return Request(id=name, method=method, params=params)
    raise RpcError(
        INVALID_REQUEST, "no JSON-RPC 2.0 request with an id, a method and params by name"
    )


def result_line(identifier: Id, result: str) -> bytes:
    """Write the answer that carries *result*, which is JSON text already."""
    return f'{{"jsonrpc":"2.0","id":{_ENCODER.encode(identifier)},"result":{result}}}\n'.encode()


def error_line(identifier: Id, error: RpcError) -> bytes:
    """Write the answer that carries *error*."""
    body: dict[str, Json] = {"code": error.code, "message": error.message}
    if error.data is not None:
        body["data"] = error.data
    return _line({"jsonrpc": "2.0", "id": identifier, "error": body})


def _line(message: JsonObject) -> bytes:
    return (_ENCODER.encode(message) + "\n").encode()
