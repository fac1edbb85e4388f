"""An implementation behind the adapter protocol: a child process, one request at a time.

Whatever goes wrong is told apart and blamed: the environment when the command cannot be run, the
implementation when it hangs, ends or breaks down, the adapter when it breaks the protocol, and the
suite when a request of its own has the wrong shape.
After a fault the process is dead and the connection can only be dropped.
"""

import errno
import signal
import weakref
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from attrs import field, frozen

from dsh_conformance.implementation.answer import MisconductError
from dsh_conformance.implementation.connection import Connection
from dsh_conformance.implementation.jsonrpc import LINE_LIMIT
from dsh_conformance.implementation.outcome import Blame, Diagnosis, Fault
from dsh_conformance.implementation.process import FloodError, GoneError, LateError, Process
from dsh_conformance.implementation.talking import Talking


@frozen(kw_only=True)
class Deadlines:
    """How long the suite waits, in seconds."""

    #: For the answer to ``initialize``: a runtime may have to start.
    first: float = 30.0
    #: For every other answer.
    call: float = 10.0
    #: For the exit after the end of its input.
    exit: float = 10.0


@frozen(kw_only=True)
class StdioLauncher:
    """Starts a command that speaks the adapter protocol."""

    #: The command and its arguments.
    command: tuple[str, ...]
    #: The words by which a person named it.
    describe: str
    #: Its environment; nothing: the suite's own.
    env: Mapping[str, str] | None = None
    #: Its working directory; nothing: the suite's own.
    cwd: Path | None = None
    #: How long to wait for it.
    deadlines: Deadlines = field(factory=Deadlines)
    #: The longest line that it may write, in bytes.
    line_limit: int = LINE_LIMIT

    @property
    def can_share(self) -> bool:
        """Two processes on one workspace are always possible."""
        return True

    @property
    def in_process(self) -> bool:
        """The adapter lives in a process of its own."""
        return False

    def launch(self, workspace: Path) -> Connection:
        """Start the command and initialise it on *workspace*; raises `Fault`."""
        return StdioConnection(self._start(), self.deadlines, workspace)

    def _start(self) -> Process:
        try:
            return Process(self.command, env=self.env, cwd=self.cwd, line_limit=self.line_limit)
        except (OSError, ValueError) as error:
            what = f"cannot run {self.command[0]!a}: {_reason(error)}"
            raise Fault(Diagnosis(blame="environment", what=what)) from None


class StdioConnection(Talking):
    """One running adapter process."""

    def __init__(self, process: Process, deadlines: Deadlines, workspace: Path) -> None:
        self._process = process
        self._deadlines = deadlines
        # A connection that is dropped, or left over at the end, takes its process along.
        self._end = weakref.finalize(self, process.kill)
        super().__init__(partial(_transmit, process, deadlines), workspace)

    def kill(self) -> None:
        """SIGKILL its process group."""
        self._end()

    def _finish(self) -> None:
        """Close its stdin and wait for exit status 0."""
        _require_running(self._process)
        seconds = self._deadlines.exit
        try:
            self._process.finish(seconds)
        except LateError:
            what = f"did not exit within {seconds:g} s after the end of its input"
            raise MisconductError("implementation", what) from None
        finally:
            self._end.detach()
        if self._process.unread:
            raise self._conversation.unasked(self._process.unread.split(b"\n", 1)[0])
        if self._process.status != 0:
            what = f"{_ending(self._process.status)} at the end of its input; status 0 was due"
            raise MisconductError("implementation", what)

    def _tail(self) -> str:
        return self._process.stderr_tail


# Functions, not methods: the conversation must not keep its connection alive.
def _transmit(process: Process, deadlines: Deadlines, request: bytes, method: str) -> bytes:
    _require_running(process)
    seconds = deadlines.first if method == "initialize" else deadlines.call
    try:
        return process.exchange(request, seconds)
    except LateError:
        what = f"did not answer {method} within {seconds:g} s (is every answer flushed?)"
        raise MisconductError("implementation", what) from None
    except FloodError:
        limit = process.line_limit
        what = f"flooded stdout while {method} was to be answered: a line of {limit} bytes"
        raise MisconductError("adapter", what) from None
    except GoneError:
        raise _gone(process, method) from None


def _require_running(process: Process) -> None:
    if process.ended:
        raise MisconductError("suite", "was called after its end")


def _gone(process: Process, method: str) -> MisconductError:
    status = process.status
    ending = "closed its stdout" if status is None else _ending(status)
    where = "in the middle of" if process.unread else "instead of"
    # A shell says with these two that it could not run the command.
    blame: Blame = "environment" if status in (126, 127) else "implementation"
    return MisconductError(blame, f"{ending} {where} answering {method}")


def _ending(status: int | None) -> str:
    if status is None or status >= 0:
        return f"exited with status {status}"
    try:
        return f"was ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"was ended by signal {-status}"


def _reason(error: OSError | ValueError) -> str:
    match getattr(error, "errno", None):
        case errno.ENOENT:
            return "command not found; give its path, or put it on PATH"
        case errno.EACCES:
            return "permission denied; is the file executable?"
        case errno.ENOEXEC:
            return "not a program; a script needs a first line like #!/usr/bin/env python3"
    return str(error)
