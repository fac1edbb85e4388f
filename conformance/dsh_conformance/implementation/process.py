"""An adapter's process: its own process group, its three pipes, its end.

One loop serves all pipes, so that neither side can block the other for ever: while a request is
written or an answer awaited, stderr is drained and the clock watched.
"""

import os
import select
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import IO, cast

#: How much of stderr is kept, in bytes.
TAIL_BYTES = 8 * 1024

_CHUNK = 64 * 1024
# A grandchild that left the group may write on for ever.
_DRAINED_CHUNKS = 64


class LateError(Exception):
    """The deadline passed."""


class FloodError(Exception):
    """A line is longer than any answer can be."""


class GoneError(Exception):
    """The process ended or closed its stdout."""


class Process:
    """A running child.

    It never outlives `kill` or `finish`, and neither leaves a zombie or an open file.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str] | None,
        cwd: Path | None,
        line_limit: int,
    ) -> None:
        self._child = subprocess.Popen(  # noqa: S603 - running the named command is what this is for
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env=env,
            cwd=cwd,
            start_new_session=True,
        )
        #: The longest line that it may write, in bytes.
        self.line_limit = line_limit
        self._stdin, self._stdout, self._stderr = (
            cast("IO[bytes]", pipe).fileno()
            for pipe in (self._child.stdin, self._child.stdout, self._child.stderr)
        )
        self._poll = select.poll()
        for pipe in (self._stdout, self._stderr):
            self._poll.register(pipe, select.POLLIN)
        self._open = {self._stdout, self._stderr}
        os.set_blocking(self._stdin, False)
        #: Whether it was killed or has finished.
        self.ended = False
        self._buffer = bytearray()
        self._tail = b""

    @property
    def stderr_tail(self) -> str:
        """The last that it wrote to stderr."""
        return self._tail.decode("utf-8", "replace")

    @property
    def status(self) -> int | None:
        """Its exit status, negative for a signal; nothing while it runs."""
        return self._child.returncode

    @property
    def unread(self) -> bytes:
        """What it has written to stdout after the last line that was taken."""
        return bytes(self._buffer)

    def exchange(self, request: bytes, seconds: float) -> bytes:
        """Write a request and return the next line from stdout, without its end.

        Raises `LateError`, `FloodError` or `GoneError`.
        """
        end = monotonic() + seconds
        self._send(request, end)
        searched = 0
        while (newline := self._buffer.find(b"\n", searched)) < 0:
            searched = len(self._buffer)
            if self._stdout not in self._open:
                self._await_exit(end)
                raise GoneError
            self._turn(end)
        line = bytes(self._buffer[:newline])
        del self._buffer[: newline + 1]
        return line

    def finish(self, seconds: float) -> None:
        """Close stdin and wait for the exit; raises `LateError`.

        What comes over stdout meanwhile is `unread`; a flood there ends the wait.
        """
        end = monotonic() + seconds
        self._close_stdin()
        try:
            while self._open and self._child.poll() is None and monotonic() < end:
                # A grandchild may hold the pipes open, so their end is not all there is to see.
                with suppress(LateError):
                    self._turn(min(end, monotonic() + 0.02))
            if not self._await_exit(end):
                raise LateError
        except FloodError:
            pass
        finally:
            self.kill()

    def kill(self) -> None:
        """End the whole process group at once, and take what its pipes still hold."""
        if self.ended:
            return
        self.ended = True
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._child.pid, signal.SIGKILL)
        self._child.wait()
        for pipe in tuple(self._open):
            self._drain(pipe)
        self._close_stdin()
        for stream in (self._child.stdout, self._child.stderr):
            cast("IO[bytes]", stream).close()

    def _send(self, request: bytes, end: float) -> None:
        rest = memoryview(request)
        while rest:
            try:
                rest = rest[os.write(self._stdin, rest) :]
            except BlockingIOError:
                self._poll.register(self._stdin, select.POLLOUT)
                try:
                    self._turn(end)
                finally:
                    self._poll.unregister(self._stdin)
            except BrokenPipeError:
                return  # What it wrote before it went is the better story.

    def _turn(self, end: float) -> None:
        """Wait for any pipe and take what it holds; raises `LateError` at *end*."""
        ready = self._poll.poll(max(0.0, end - monotonic()) * 1000)
        if not ready:
            raise LateError
        for pipe, _ in ready:
            if pipe != self._stdin:
                self._take(pipe)

    def _take(self, pipe: int) -> None:
        data = os.read(pipe, _CHUNK)
        if not data:
            self._poll.unregister(pipe)
            self._open.discard(pipe)
        elif pipe == self._stdout:
            self._buffer += data
            if len(self._buffer) > self.line_limit:
                raise FloodError
        else:
            self._tail = (self._tail + data)[-TAIL_BYTES:]

    def _drain(self, pipe: int) -> None:
        os.set_blocking(pipe, False)
        with suppress(BlockingIOError, FloodError):
            for _ in range(_DRAINED_CHUNKS):
                if pipe not in self._open:
                    break
                self._take(pipe)

    def _await_exit(self, end: float) -> bool:
        try:
            self._child.wait(max(0.0, end - monotonic()))
        except subprocess.TimeoutExpired:
            return False
        return True

    def _close_stdin(self) -> None:
        with suppress(BrokenPipeError):
            cast("IO[bytes]", self._child.stdin).close()
