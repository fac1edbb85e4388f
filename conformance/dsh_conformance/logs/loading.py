"""Loads the one log of a command, judged, and in the newest format where that is asked for."""

from pathlib import Path

import click

from dsh_conformance.logfiles import collector_paused, find_log, open_log
from dsh_conformance.logs.judge import session_log
from dsh_conformance.logs.remedies import remedy
from dsh_conformance.report.printable import printable
from dsh_reference.migrate import ChildFact, migrate
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog


class NotValidError(Exception):
    """A log breaks a rule, so that nothing can be made of it."""

    def __init__(self, path: Path, refusal: Refusal) -> None:
        mend = refusal.remedy or remedy(refusal, None)
        super().__init__(
            f"{str(path)!r}: {refusal.where}: {refusal.problem} [{refusal.rule}] {mend}"
        )
        #: The rule, the place and the problem.
        self.refusal = refusal


def load_log(place: Path) -> SessionLog:
    """Return the log in a file or of a session's directory, its events not judged.

    Raises `NotValidError`, and `click.UsageError` where there is no log.
    """
    path = _log_of(place)
    found = open_log(path)
    if isinstance(found, Refusal):
        raise NotValidError(path, found)
    return session_log(found)


def load_migrated(place: Path, *, to: int = 4, children: tuple[ChildFact, ...] = ()) -> SessionLog:
    """Return a log in format *to*, with its events judged there; raises as `load_log` does."""
    with collector_paused():
        moved = migrate(load_log(place), to=to, children=children)
    if isinstance(moved, Refusal):
        raise NotValidError(place, moved)
    return moved


def say_not_valid(error: NotValidError) -> int:
    """Tell why nothing came of a log, and return the exit status."""
    click.echo(printable(str(error)), err=True)
    return 1


def _log_of(place: Path) -> Path:
    if not place.is_dir():
        return place
    found = find_log(place)
    if isinstance(found, Refusal):
        raise NotValidError(place, found)
    if found is None:
        raise click.UsageError(f"the directory {str(place)!r} holds no log of a session")
    return found
