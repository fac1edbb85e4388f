"""``certify``: judge an implementation, and say so in a report.

The flow: name the implementation, probe it once (`smoke`), run the checks, print, write the files.
A fault anywhere ends in a report that says *not driven* and whose fault that is.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

import click
from attrs import evolve, frozen
from rich.console import Console

from dsh_conformance.certify import Terms, certify
from dsh_conformance.commands import options
from dsh_conformance.commands.consoles import progress_console, result_console
from dsh_conformance.commands.driving import find
from dsh_conformance.commands.expectations import xfail
from dsh_conformance.implementation.capabilities import ImplementationInfo
from dsh_conformance.implementation.connection import Launcher
from dsh_conformance.implementation.deviations import known
from dsh_conformance.implementation.outcome import Fault
from dsh_conformance.implementation.smoke import smoke
from dsh_conformance.profiles import Profile
from dsh_conformance.report.files import claim, report_files
from dsh_conformance.report.invocation import Invocation
from dsh_conformance.report.progress import Progress
from dsh_conformance.report.terminal import print_report
from dsh_conformance.report.verdict import Report, exit_status
from dsh_conformance.report.watching import watching


@frozen(kw_only=True)
class Request:
    """What the command line asks for."""

    #: The implementation's name.
    impl: str | None
    #: The adapter's command.
    command: tuple[str, ...]
    #: How hard to look.
    profile: Profile
    #: The seed.
    seed: int
    #: The tracks to certify.
    tracks: tuple[str, ...]
    #: The implementation's configuration.
    config: Mapping[str, str]
    #: The announced failures, with their reasons, by rule.
    xfail: Mapping[str, str]
    #: Where the reports go.
    directory: Path | None
    #: Whether that directory may hold something already.
    force: bool
    #: How long a call may take, in seconds.
    deadline: float | None
    #: Where failing examples are kept.
    database: Path | None
    #: Over how many processes the runs are spread.
    workers: int


@click.command("certify", cls=options.CommandLine, short_help="Judge an implementation.")
@click.argument("impl", metavar="[IMPL]", required=False)
@options.profile
@options.seed
@options.tracks
@options.config
@xfail
@options.report
@options.force
@options.deadline
@options.database
@options.workers
def command(**given: Any) -> int:
    """Judge an implementation by every rule that it claims.

    IMPL is a built-in (memory, jsonl, sqlite, reference; dsh is the real runtime) or a Python
    factory named package.module:factory.  Without IMPL, COMMAND is started as an adapter and driven
    over stdio.
    """
    return run(Request(**given), progress_console())


def run(request: Request, err: Console) -> int:
    """Do what *request* asks for, tell *err* the progress, and return the exit status."""
    launcher = find(request.impl, request.command, request.config, request.deadline)
    directory = claim(request.directory, force=request.force) if request.directory else None
    with watching(err) as progress:
        report = judge(request, launcher, progress)
    invocation = Invocation(
        impl=request.impl,
        config=request.config,
        command=request.command,
        directory=request.directory,
    )
    with result_console() as out:
        print_report(report, invocation, out)
    if directory is not None:
        directory.write(report_files(report))
    return exit_status(report)


def judge(request: Request, launcher: Launcher, progress: Progress) -> Report:
    """Return the report on what *launcher* starts; a fault ends in one that says *not driven*."""
    started, began = datetime.now(UTC), monotonic()
    who: ImplementationInfo | None = None
    try:
        capabilities = smoke(launcher, request.tracks)
        who = capabilities.implementation
        report = certify(
            launcher,
            capabilities,
            Terms(
                profile=request.profile,
                seed=request.seed,
                xfail={**known(who), **request.xfail},
                tracks=request.tracks,
                database=request.database,
                workers=request.workers,
                find=partial(find, request.impl, request.command, request.config, request.deadline),
            ),
            progress,
        )
    except Fault as fault:
        report = Report(
            implementation=who,
            tracks=request.tracks,
            profile=request.profile.name,
            seed=request.seed,
            verdict="not-driven",
            fault=fault.diagnosis,
            started=started.isoformat(timespec="seconds"),
            seconds=monotonic() - began,
        )
    return evolve(report, config=request.config)
