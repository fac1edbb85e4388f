"""What a line from an adapter means: an outcome, or misconduct that blames a side.

Here nothing is written, read or waited for; a line is judged by the request that it answers.
"""

from contextlib import suppress
from typing import Any

from attrs import frozen

from dsh_conformance.implementation import wire
from dsh_conformance.implementation.jsonrpc import (
    METHOD_NOT_FOUND,
    MISUNDERSTANDINGS,
    REFUSED,
    UnreadableError,
    read,
)
from dsh_conformance.implementation.outcome import Blame, Ok, Outcome, Refused
from dsh_spec.catalogue import Seam
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json

#: How much of a line that is no message is shown, in characters.
SHOWN = 80


class MisconductError(Exception):
    """There is no answer that the protocol allows."""

    def __init__(self, blame: Blame, what: str) -> None:
        super().__init__(what)
        #: The side at fault.
        self.blame: Blame = blame
        #: One line for people.
        self.what = what


@frozen
class Call:
    """A request that was sent."""

    #: Its number.
    id: int
    #: Its method.
    method: str
    #: The seam of the store that was asked.
    seam: Seam = "handle"


def read_answer(line: bytes, call: Call, previous: Call | None) -> Outcome:
    """Read the answer to *call*; raises `MisconductError`."""
    message = _message(line, call)
    problem = wire.answer_problem(message)
    if problem:
        raise _adapter(f"answered {call.method} with no JSON-RPC answer: {problem}")
    if previous and message["id"] == previous.id:
        raise _twice(previous)
    if "error" in message:
        return _refusal(message, call)
    if message["id"] != call.id:
        raise _wrong_id(message, call)
    result = message["result"]
    if call.method == "initialize" and result.get("protocol") != wire.PROTOCOL:
        raise _wrong_version(result.get("protocol"))
    problem = wire.problem(call.method, "result", result, call.seam)
    if problem:
        raise _adapter(f"answered {call.method} with a result of the wrong shape: {problem}")
    return Ok(result)


def unasked(line: bytes, previous: Call | None) -> MisconductError:
    """Say what it means that *line* came after every call was answered."""
    with suppress(UnreadableError):
        match read(line):
            case {"id": int() as identifier} if previous and identifier == previous.id:
                return _twice(previous)
    return _adapter(f"wrote {_excerpt(line)} to stdout, unasked; stdout is for answers alone")


def _message(line: bytes, call: Call) -> dict[str, Any]:
    try:
        message: Json = read(line)
    except UnreadableError as error:
        raise _garbage(line, call, str(error)) from None
    if not isinstance(message, dict):
        raise _garbage(line, call, "no JSON object")
    return message


def _refusal(message: dict[str, Any], call: Call) -> Refused:
    error = message["error"]
    code, text, data = error["code"], one_line(error["message"]), error.get("data")
    if code != REFUSED:
        raise _crash(code, text, call)
    if message["id"] != call.id:
        raise _wrong_id(message, call)
    if isinstance(data, dict) and "kind" in data and data["kind"] not in tuple(RefusalKind):
        raise _adapter(f"refused {call.method} with an unknown kind, {data['kind']!a:.40}")
    problem = wire.refusal_problem(data)
    if problem:
        raise _adapter(f"refused {call.method} without saying how, {text!a}: {problem}")
    return Refused(kind=RefusalKind(data["kind"]), message=text, rule=data.get("rule"))


def _crash(code: int, text: str, call: Call) -> MisconductError:
    if code == METHOD_NOT_FOUND:
        return _adapter(f"has no method {call.method}, which what it claims needs")
    what = f"answered {call.method} with JSON-RPC error {code}: {text}"
    if code in MISUNDERSTANDINGS:
        return _adapter(what)
    return MisconductError("implementation", f"{what} (a refusal has code {REFUSED} and a kind)")


def _adapter(what: str) -> MisconductError:
    return MisconductError("adapter", what)


def _garbage(line: bytes, call: Call, reason: str) -> MisconductError:
    return _adapter(
        f"wrote {_excerpt(line)} to stdout instead of an answer to {call.method} ({reason}); "
        "stdout is for answers alone, logs go to stderr"
    )


def _twice(call: Call) -> MisconductError:
    return _adapter(f"answered {call.method} twice; each request gets one answer")


def _wrong_id(message: dict[str, Any], call: Call) -> MisconductError:
    return _adapter(
        f"answered {call.method} with id {message['id']}, but the request has id {call.id}"
    )


def _wrong_version(answered: Json) -> MisconductError:
    theirs = "no protocol version" if answered is None else f"protocol version {answered!a:.40}"
    return _adapter(f"speaks {theirs}; this suite speaks version {wire.PROTOCOL}")


def _excerpt(line: bytes) -> str:
    text = line.decode("utf-8", "backslashreplace")
    return ascii(text[:SHOWN]) + ("..." if len(text) > SHOWN else "")


def one_line(text: str) -> str:
    """Return *text* on one line of at most 300 characters."""
    return " ".join(text.split())[:300]
