"""``sabotage``: prove that the suite bites."""

from pathlib import Path
from typing import Any

import click
from attrs import frozen
from rich.console import Console

from dsh_conformance.commands import options
from dsh_conformance.commands.consoles import progress_console, result_console
from dsh_conformance.commands.suggest import near
from dsh_conformance.profiles import Profile
from dsh_conformance.report.files import claim, sabotage_files
from dsh_conformance.report.matrix import print_matrix
from dsh_conformance.report.verdict import sabotage_exit_status
from dsh_conformance.report.watching import watching
from dsh_conformance.sabotage import run as engine
from dsh_conformance.sabotage.catalogue import names


@frozen(kw_only=True)
class Request:
    """What the command line asks for."""

    #: How hard to look.
    profile: Profile
    #: The seed.
    seed: int
    #: The tracks whose sabotages run.
    tracks: tuple[str, ...]
    #: The only sabotages to run; all when empty.
    only: tuple[str, ...]
    #: Where the report goes.
    directory: Path | None
    #: Whether that directory may hold something already.
    force: bool


def _only(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    for each in values:
        if each not in names():
            raise click.BadParameter(f"no sabotage is called {each!r}{near(each, names())}")
    return values


@click.command("sabotage", short_help="Prove that every wrong implementation is caught.")
@options.profile
@options.seed
@options.tracks
@click.option(
    "--only",
    multiple=True,
    metavar="NAME",
    callback=_only,
    help="Run this sabotage only; may be given again.",
)
@options.report
@options.force
def command(**given: Any) -> int:
    """Run the suite against implementations that are wrong on purpose.

    Every one of them has to be caught, and every harmless variation has to pass.
    """
    return run(Request(**given), progress_console())


def run(request: Request, err: Console) -> int:
    """Do what *request* asks for, tell *err* the progress, and return the exit status."""
    directory = claim(request.directory, force=request.force) if request.directory else None
    with watching(err) as progress:
        report = engine.run(request.profile, request.seed, request.only, progress, request.tracks)
    with result_console() as out:
        print_matrix(report, out)
    if directory is not None:
        directory.write(sabotage_files(report))
    return sabotage_exit_status(report)
