"""The suite's side of the adapter protocol, whatever carries the lines."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from dsh_conformance.implementation import wire
from dsh_conformance.implementation.answer import Call, MisconductError, read_answer, unasked
from dsh_conformance.implementation.capabilities import Capabilities
from dsh_conformance.implementation.jsonrpc import request_line
from dsh_conformance.implementation.outcome import Blame, Ok, Outcome, Refused
from dsh_spec.catalogue import Seam
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import JsonObject

#: Carries a request line, whose method is named, over and brings the answer line.
#: Raises `MisconductError`.
Transmit: TypeAlias = Callable[[bytes, str], bytes]

# Refusals to start that lie in how it was started: the configuration, the file system.
_CIRCUMSTANCES = (RefusalKind.INVALID_ARGUMENT, RefusalKind.IO)


class Conversation:
    """Numbers the requests, checks both directions, and reads the answers."""

    def __init__(self, transmit: Transmit) -> None:
        self._transmit = transmit
        self._last: Call | None = None
        self._seam: Seam = "handle"

    def initialize(self, workspace: Path) -> Capabilities:
        """Ask what the implementation is and claims; raises `MisconductError`."""
        match self.call("initialize", {"protocol": wire.PROTOCOL, "workspace": str(workspace)}):
            case Refused(kind=kind, message=message):
                blame: Blame = "environment" if kind in _CIRCUMSTANCES else "implementation"
                raise MisconductError(blame, f"it refused to start: {message}")
            case Ok(dict() as result) if result["tracks"]:
                capabilities = wire.read_capabilities(result)
                if capabilities.store is not None:
                    self._seam = capabilities.store.seam
                return capabilities
        raise MisconductError(
            "adapter", "claims no track: the answer to initialize has to name one under tracks"
        )

    def call(self, method: str, params: JsonObject) -> Outcome:
        """Call one method, marks for values outside JSON already made; raises `MisconductError`."""
        call = Call(self._last.id + 1 if self._last else 1, method, self._seam)
        outcome = read_answer(self._transmit(_request(call, params), method), call, self._last)
        self._last = call
        return outcome

    def unasked(self, line: bytes) -> MisconductError:
        """Say what it means that *line* came after the last answer."""
        return unasked(line, self._last)


def _request(call: Call, params: JsonObject) -> bytes:
    problem = wire.problem(call.method, "params", params, call.seam)
    if problem:
        raise MisconductError("suite", f"would call {call.method} with {problem}")
    try:
        return request_line(call.id, call.method, params)
    except (TypeError, ValueError, RecursionError) as error:
        raise MisconductError("suite", f"cannot write the call of {call.method}: {error}") from None
