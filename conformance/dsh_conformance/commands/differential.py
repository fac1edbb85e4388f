"""``differential``: hold the reference against the real runtimes on generated logs."""

import click

from dsh_conformance.commands import options
from dsh_conformance.differential.hunt import Finding, Survey, hunt
from dsh_conformance.differential.known import known_differences
from dsh_conformance.differential.lab import lab, runtimes_for
from dsh_conformance.differential.specimen import header_row
from dsh_conformance.generate.formats import FORMATS, Format
from dsh_conformance.report.printable import printable
from dsh_reference.values import dump


@click.command("differential", short_help="Compare the reference with the real runtimes.")
@click.option(
    "--format",
    "formats",
    type=click.Choice([str(each) for each in FORMATS]),
    multiple=True,
    metavar="N",
    help="Take logs of this format, 0 to 4, only; may be given again.",
)
@click.option(
    "--examples",
    type=click.IntRange(1),
    default=2000,
    show_default=True,
    metavar="N",
    help="How many logs of each format.",
)
@options.seed
def command(formats: tuple[str, ...], examples: int, seed: int) -> int:
    """Generate logs of every format and compare what comes of them.

    Each log is read by the current runtime and by the one of its own format, and by the reference;
    the verdict, the migrated log, the messages and the closers must agree.  It needs the runtimes:
    pip install 'dsh-session-conformance[real]' and dsh-conformance runtimes install.
    """
    chosen: list[Format] = [each for each in FORMATS if not formats or str(each) in formats]
    different = 0
    for version in chosen:
        with lab() as running:
            survey = hunt(running, version, examples=examples, seed=seed, tell=_show)
        different += len(survey.findings)
        _summarise(survey)
    return 1 if different else 0


def _summarise(survey: Survey) -> None:
    counts = ", ".join(f"{count} {verdict}" for verdict, count in survey.verdicts.most_common())
    names = ", ".join(runtimes_for(survey.format))
    click.echo(f"format {survey.format}: {survey.verdicts.total()} logs ({counts}), with {names}")
    for each in known_differences():
        if each.name in survey.met:
            click.echo(f"  known, {survey.met[each.name]} times: {each.name}: {each.does}")
    found = len(survey.findings)
    click.echo(f"  {found or 'no'} unexplained difference{'s'[: found != 1]}")


def _show(finding: Finding) -> None:
    specimen, difference = finding.specimen, finding.difference
    click.echo(f"{difference.name} differs over the {difference.aspect} of this log:")
    for role, log in (("", specimen.log), *(("child ", child) for child in specimen.children)):
        for row in (header_row(log), *log.events):
            click.echo(f"    {role}{printable(dump(row))}")
    written = f"{specimen.compression}, batches end after {list(specimen.cuts)}"
    click.echo(f"    ({written}, packed {specimen.packed}, torn {specimen.torn})")
    click.echo(f"  the reference: {printable(difference.reference)}")
    click.echo(f"  the runtime:   {printable(difference.runtime)}")
