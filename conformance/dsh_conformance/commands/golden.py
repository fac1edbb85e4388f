"""``golden``: check the golden cases, and take over what the real runtime says."""

import json
from collections.abc import Sequence
from pathlib import Path

import click
from attrs import asdict

from dsh_conformance.commands.suggest import near
from dsh_conformance.golden import Case, Finding, corpus, pinned, select
from dsh_conformance.golden.against import Launching, compare
from dsh_conformance.golden.check import check_case, check_pins
from dsh_conformance.golden.corpus import PINS, root
from dsh_conformance.golden.form import unusable
from dsh_conformance.golden.write import accept, pin, proposals
from dsh_conformance.implementation.connection import Launcher
from dsh_conformance.implementation.names import Misuse, resolve
from dsh_conformance.report.printable import paragraph, printable
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

    A NAME is a case (v3/NAME or NAME) or a format (v3); without one, all cases are meant.
    """


@command.command("check")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--against", metavar="IMPL", help="Ask this implementation, not the reference.")
@click.option("--json", "as_data", is_flag=True, help="Write JSON.")
@_where
def check(names: tuple[str, ...], against: str | None, where: Path | None, *, as_data: bool) -> int:
    """Check that every case comes to what it must, and that its files are in order.

    Against an implementation, which must keep its logs as files of the format, only the verdict
    and the log that is read are compared.
    """
    everything = corpus(where)
    cases = _selected(everything, names)
    findings: list[Finding] = []
    if against is None:
        findings.extend(_pins(everything, cases, where, partial=bool(names)))
        findings.extend(found for case in cases for found in check_case(case))
    else:
        shown = list(compare(_usable(cases), _launching(against)))
        cases = tuple(case for case, _ in shown)
        findings.extend(found for _, each in shown for found in each)
    _tell(findings, len(cases), as_data=as_data)
    return 1 if findings or not cases else 0


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
    gone = pins.keys() - {case.place for case in everything}
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
    for found in check_pins(corpus(directory), _pins_of(directory)):
        if found.place in shown:
            click.echo(f"{found.place}: {found.problem}")
            differing.add(found.place)
    click.echo(f"{len(settled)} accepted, {len(differing)} left as they are", err=True)
    return 1 if differing else 0


def _pins_of(where: Path | None) -> dict[str, str]:
    try:
        return dict(pinned(where))
    except (OSError, ValueError):
        return {}


def _pins(
    everything: Sequence[Case], cases: Sequence[Case], where: Path | None, *, partial: bool
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
