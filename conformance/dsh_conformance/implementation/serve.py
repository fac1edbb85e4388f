"""A Python backend as an adapter process: the protocol's lines in, the protocol's lines out.

While it serves, file descriptor 1 belongs to the protocol alone: whatever the backend, or a
process that it starts, prints goes to stderr, and nothing of theirs can eat a request.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import IO

from dsh_conformance.implementation.host import AnyFactory, Host, answer_line
from dsh_conformance.implementation.jsonrpc import LINE_LIMIT
from dsh_conformance.implementation.names import find_factory


def run(name_or_path: str, config: Mapping[str, str]) -> int:
    """Serve a backend, built in or ``package.module:factory``, until the input ends.

    Returns the exit status; raises `Misuse` when there is no such backend.
    """
    factory = find_factory(name_or_path)
    with _private_pipes() as (requests, answers):
        return serve(factory, config, requests, answers)


def serve(
    factory: AnyFactory, config: Mapping[str, str], requests: IO[bytes], answers: IO[bytes]
) -> int:
    """Answer *requests* line by line until they end, shut the backend down, and return 0.

    Returns 1 when the shutdown fails, a line is too long, or nobody reads the answers any more.
    """
    host = Host(factory, config)
    try:
        while line := requests.readline(LINE_LIMIT + 1):
            if len(line) > LINE_LIMIT:
                print(f"a request is longer than {LINE_LIMIT} bytes", file=sys.stderr)
                return 1
            answers.write(answer_line(host, line, sys.stderr))
            answers.flush()
    except BrokenPipeError:
        host.crash()
        return 1
    return _ended(host)


def _ended(host: Host) -> int:
    try:
        host.shutdown()
    except Exception as error:  # noqa: BLE001 - the backend may raise anything
        print(f"the shutdown failed: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    return 0


@contextmanager
def _private_pipes() -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """Take stdin and stdout for the protocol and leave the backend an empty one and stderr."""
    sys.stdout.flush()
    with (
        os.fdopen(os.dup(0), "rb") as requests,
        os.fdopen(os.dup(1), "wb") as answers,
        Path(os.devnull).open("rb") as nothing,
    ):
        os.dup2(nothing.fileno(), 0)
        os.dup2(2, 1)
        try:
            # Python's own buffer for descriptor 1 would hold the backend's words back.
            with redirect_stdout(sys.stderr):
                yield requests, answers
        finally:
            os.dup2(requests.fileno(), 0)
            os.dup2(answers.fileno(), 1)
