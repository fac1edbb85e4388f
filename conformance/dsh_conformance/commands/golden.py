"""``golden``: check the golden cases, and take over what the real runtime says."""

import json
from collections.abc import Sequence
from pathlib import Path

import click
from attrs import asdict

from dsh_conformance.commands.suggest import near
from dsh_conformance.golden import Case, Finding, Run, corpus, pinned, runs, select
from dsh_conformance.golden.against import Launching, compare
from dsh_conformance.golden.check import Pinned, check_case, check_pins
from dsh_conformance.golden.corpus import PINS, root
from dsh_conformance.golden.form import unusable
from dsh_conformance.golden.record import Recorded, text, write_run
from dsh_conformance.golden.record import record as look_for
from dsh_conformance.golden.runs import RUNS, check_runs
from dsh_conformance.golden.write import accept, pin, proposals
from dsh_conformance.implementation.connection import Launcher
from dsh_conformance.implementation.names import REAL, Misuse, resolve
from dsh_conformance.profiles import QUICK
from dsh_conformance.report.printable import paragraph, printable
from dsh_conformance.sabotage.catalogue import sabotages
from dsh_reference.files import Compression

_where = click.option(
    "--root",
    "where",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="Where the cases lie; by default, in the installed spec.",
)


@click.group("golden", short_help="Check or write the golden cases.")
def command() -> None:
    """Golden cases: physical logs of every format, and what must come of each.

    A NAME is a case (v3/NAME or NAME), a format (v3), a run (runs/RULE) or "runs"; without one, all
    are meant.
    """


@command.command("check")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--against", metavar="IMPL", help="Ask this implementation, not the reference.")
@click.option("--json", "as_data", is_flag=True, help="Write JSON.")
@_where
def check(names: tuple[str, ...], against: str | None, where: Path | None, *, as_data: bool) -> int:
    """Check that every case comes to what it must, and that its files are in order.

    Against an implementation, which must keep its logs as files of the format, only the verdict
    and the log that is read are compared; the runs are those of the tracks that it claims.
    """
    everything, every_run = corpus(where), _runs(where)
    chosen = tuple(each for each in every_run if not names or _named(each, names))
    rest = [name for name in names if not any(_named(each, (name,)) for each in every_run)]
    cases = _selected(everything, rest) if rest or not names else ()
    findings: list[Finding] = []
    if against is None:
        there: list[Pinned] = [*everything, *every_run]
        partial = bool(names)
        findings.extend(_pins(there, [*cases, *chosen], where, partial=partial))
        findings.extend(found for case in cases for found in check_case(case))
        played = list(check_runs(chosen))
    else:
        shown = list(compare(_usable(cases), _launching(against)))
        cases = tuple(case for case, _ in shown)
        findings.extend(found for _, each in shown for found in each)
        played = list(check_runs(chosen, _launching(against)("none")))
    findings.extend(found for _, each in played for found in each)
    _tell(findings, len(cases) + len(played), as_data=as_data)
    return 1 if findings or not (cases or played) else 0


@command.command("write")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--accept", "accepted", multiple=True, metavar="NAME", help="Write this one; may be repeated."
)
@click.option(
    "--against", default="dsh", show_default=True, metavar="IMPL", help="The runtime to ask."
)
@_where
def write(
    names: tuple[str, ...], accepted: tuple[str, ...], against: str, where: Path | None
) -> int:
    """Show how cases differ from what the real runtime says, and write those that are accepted.

    Nothing changes without --accept; a case that is new or that was edited is pinned by it.
    """
    directory = where if where is not None else Path(str(root()))
    everything = corpus(directory)
    pins = _pins_of(directory)
    pinnable: list[Pinned] = [*everything, *_runs(directory)]
    gone = pins.keys() - {each.place for each in pinnable}
    known = [name for name in accepted if name not in gone]
    cases = _selected(everything, (*names, *known) if names else ())
    wanted = {case.place for case in _selected(everything, known)} if known else set()
    differing = set()
    for proposal in proposals(_usable(cases), _launching(against)):
        click.echo(proposal.difference, nl=False)
        if proposal.before.place in wanted:
            accept(proposal, directory)
        elif proposal.difference:
            differing.add(proposal.before.place)
    settled = wanted | (gone & set(accepted))
    if settled:
        pin(sorted(settled), directory)
    shown = {case.place for case in cases} | gone
    for found in check_pins([*corpus(directory), *_runs(directory)], _pins_of(directory)):
        if found.place in shown:
            click.echo(f"{found.place}: {found.problem}")
            differing.add(found.place)
    click.echo(f"{len(settled)} accepted, {len(differing)} left as they are", err=True)
    return 1 if differing else 0


@command.command("record")
@click.argument("names", nargs=-1, metavar="SABOTAGE...", required=True)
@click.option("--against", multiple=True, metavar="IMPL", help="A runtime to show it to.")
@click.option("--accept", "accepted", is_flag=True, help="Write and pin the run.")
@_where
def record(
    names: tuple[str, ...], against: tuple[str, ...], where: Path | None, *, accepted: bool
) -> int:
    """Look for the smallest run that tells a sabotage from a right implementation.

    It is shown to the real runtimes (dsh, dsh-v3 and dsh-v0 by default), of which the first that
    claims what the run is for has to keep it.
    """
    by_name = {each.name: each for each in sabotages()}
    for name in names:
        if name not in by_name:
            raise click.UsageError(f"no sabotage is called {name!r}{near(name, list(by_name))}")
    launchers = [_launching(impl)("none") for impl in against or REAL]
    unsettled = 0
    for name in names:
        found = look_for(by_name[name], QUICK, 0, launchers)
        settled = found.run is not None and not found.findings and "provenance" in found.run.head
        unsettled += not settled
        _recorded(name, found)
        if accepted and settled and found.run is not None:
            directory = where if where is not None else Path(str(root()))
            write_run(found.run, directory)
            pin([found.run.place], directory)
    return 1 if unsettled else 0


def _recorded(name: str, found: Recorded) -> None:
    if found.run is None:
        click.echo(f"{name}: not caught by the rule that it breaks", err=True)
        return
    click.echo(text(found.run).decode(), nl=False)
    for each in found.findings:
        click.echo(f"{each.place}: {printable(each.problem)}", err=True)
    if not found.findings and "provenance" not in found.run.head:
        click.echo(f"{found.run.place}: no runtime claims what it is for", err=True)


def _pins_of(where: Path | None) -> dict[str, str]:
    try:
        return dict(pinned(where))
    except (OSError, ValueError):
        return {}


def _runs(where: Path | None) -> tuple[Run, ...]:
    try:
        return runs(where)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _named(run: Run, names: Sequence[str]) -> bool:
    return any(name in (RUNS, run.place, run.rule) for name in names)


def _pins(
    everything: Sequence[Pinned], cases: Sequence[Pinned], where: Path | None, *, partial: bool
) -> list[Finding]:
    """Return what the pins find: of the selected cases only, where some are selected."""
    try:
        pins = pinned(where)
    except (OSError, ValueError):
        return [Finding(place=PINS, problem="there is no list of pinned cases that can be read")]
    chosen = {case.place for case in cases}
    return [found for found in check_pins(everything, pins) if not partial or found.place in chosen]


def _selected(cases: Sequence[Case], names: Sequence[str]) -> tuple[Case, ...]:
    found = select(cases, names)
    if isinstance(found, str):
        places = [name for case in cases for name in (case.place, case.name)]
        raise click.UsageError(f"no golden case is called {found!r}{near(found, places)}")
    return found


def _usable(cases: Sequence[Case]) -> tuple[Case, ...]:
    for case in cases:
        problem = unusable(case)
        if problem is not None:
            raise click.UsageError(f"{case.place} cannot be shown to an implementation: {problem}")
    return tuple(cases)


def _launching(impl: str) -> Launching:
    def launch(compression: Compression) -> Launcher:
        try:
            return resolve(impl, (), {"compression": compression})
        except Misuse as misuse:
            raise click.UsageError(str(misuse)) from None

    return launch


def _tell(findings: Sequence[Finding], count: int, *, as_data: bool) -> None:
    if as_data:
        found = [asdict(finding) for finding in findings]
        click.echo(json.dumps({"cases": count, "findings": found}, indent=2))
        return
    for finding in findings:
        click.echo(f"{finding.place}: {printable(finding.problem)}")
        if finding.expected is not None or finding.actual is not None:
            for label, value in (("expected", finding.expected), ("actual", finding.actual)):
                text = value if isinstance(value, str) else json.dumps(value)
                click.echo(f"    {label}: {' '.join(paragraph(text))}")
    click.echo(f"{count} cases, {len(findings)} findings", err=True)
