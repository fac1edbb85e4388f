"""``repair``: the events that close the turn in which a log was interrupted."""

from pathlib import Path

import click
from attrs import evolve

from dsh_conformance.commands import outputs
from dsh_conformance.logs.loading import NotValidError, load_log, load_migrated, say_not_valid
from dsh_conformance.logs.writing import encoding_for, log_bytes, put
from dsh_reference.closers import closers_of
from dsh_reference.files import batch_lines


@click.command("repair", short_help="Close the turn in which a log was interrupted.")
@outputs.place
@outputs.output
@outputs.force
def command(place: Path, output: Path | None, *, force: bool) -> int:
    """Write the closers of FILE, in its own format, one a line; nothing if no turn is open.

    FILE stays as it is.  A torn tail is left out.
    """
    try:
        log = load_log(place)
        load_migrated(place)
    except NotValidError as error:
        return say_not_valid(error)
    closers = closers_of(log.events, format=log.format)
    if output is None:
        put(batch_lines(closers, log.format), None, force=force)
        return 0
    whole = evolve(log, events=(*log.events, *closers))
    put(log_bytes(whole, encoding_for(output)), output, force=force)
    return 0
