"""Finds the logs that a command line means: files, and all sessions below a directory."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from attrs import frozen

from dsh_conformance.logfiles import find_log
from dsh_reference.files import parse_log_name
from dsh_reference.refusal import Refusal


@frozen(kw_only=True)
class Found:
    """A log to look at, or a directory whose log cannot be told."""

    #: The log, or the session's directory.
    path: Path
    #: Why the session's log cannot be told.
    refusal: Refusal | None = None


def find_logs(places: Iterable[Path]) -> Iterator[Found]:
    """Give each file named, and of each session below a directory the log that is the session.

    Symbolic links to directories are not followed.
    """
    for place in places:
        if not place.is_dir():
            yield Found(path=place)
            continue
        for directory, inner, names in os.walk(place):
            inner.sort()
            if any(parse_log_name(name) is not None for name in names):
                yield from _of_session(Path(directory))


def _of_session(directory: Path) -> Iterator[Found]:
    found = find_log(directory)
    if isinstance(found, Refusal):
        yield Found(path=directory, refusal=found)
    elif found is not None:
        yield Found(path=found)
