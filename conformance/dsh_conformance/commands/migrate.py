"""``migrate``: a log as a newer format has it."""

from collections.abc import Iterator
from pathlib import Path

import click

from dsh_conformance.commands import outputs
from dsh_conformance.logfiles import open_log
from dsh_conformance.logs.judge import session_log
from dsh_conformance.logs.loading import NotValidError, load_log, load_migrated, say_not_valid
from dsh_conformance.logs.search import find_logs
from dsh_conformance.logs.writing import encoding_for, log_bytes, put
from dsh_reference.migrate import ChildFact, child_fact, is_child
from dsh_reference.refusal import Refusal


@click.command("migrate", short_help="Convert a log to a newer format.")
@outputs.place
@click.option(
    "--to",
    type=click.IntRange(0, 4),
    default=4,
    show_default=True,
    metavar="N",
    help="The format to convert to.",
)
@click.option(
    "--root",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="Look for the session's children below DIR; without it, it has none.",
)
@outputs.output
@outputs.force
def command(place: Path, to: int, root: Path | None, output: Path | None, *, force: bool) -> int:
    """Convert FILE, which stays as it is, to format N, as the runtime does it."""
    try:
        children = () if root is None else tuple(_children(place, root))
        log = load_migrated(place, to=to, children=children)
    except NotValidError as error:
        return say_not_valid(error)
    put(log_bytes(log, "none" if output is None else encoding_for(output)), output, force=force)
    return 0


def _children(place: Path, root: Path) -> Iterator[ChildFact]:
    """Give the facts of the children of a session among the sessions below *root*."""
    parent = str(load_log(place).header["id"])
    for found in find_logs([root]):
        log = open_log(found.path) if found.refusal is None else found.refusal
        if isinstance(log, Refusal):
            continue
        if is_child(log.header, parent):
            yield child_fact(log.header, session_log(log))
