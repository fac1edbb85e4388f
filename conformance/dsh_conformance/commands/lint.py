"""``lint``: whether a log obeys the specification, and whether the runtime would open it."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from dsh_conformance.commands.consoles import progress_console, result_console
from dsh_conformance.logs.finding import Finding, Judgement, error_of, judgement_value
from dsh_conformance.logs.judge import judge
from dsh_conformance.logs.remedies import remedy
from dsh_conformance.logs.search import Found, find_logs
from dsh_conformance.report.jsonreport import text
from dsh_conformance.report.printable import printable
from dsh_conformance.report.watching import watching


@click.command("lint", short_help="Judge session logs by the specification.")
@click.argument(
    "places",
    metavar="FILE...",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, exists=True),
)
@click.option("--json", "as_data", is_flag=True, help="Write JSON.")
def command(places: tuple[Path, ...], *, as_data: bool) -> int:
    """Judge each FILE, a session log of any format, plain or compressed.

    Of a directory, every session below it is judged.  The exit status is 1 when the runtime would
    refuse to open one of the logs.
    """
    found = list(find_logs(places))
    if not found:
        raise click.UsageError("there is no session log below what was named")
    judgements = tuple(_judged(found))
    if as_data:
        logs = [judgement_value(each) for each in judgements]
        click.echo(text({"lint": 1, "logs": logs}), nl=False)
    else:
        with result_console() as out:
            _print(judgements, out)
    return 0 if all(each.opens for each in judgements) else 1


def _judged(found: Sequence[Found]) -> Iterator[Judgement]:
    if len(found) == 1:
        yield _judgement(found[0])
        return
    with watching(progress_console()) as progress:
        progress.started(len(found), "logs")
        for number, each in enumerate(found, start=1):
            yield _judgement(each)
            progress.example(number)


def _judgement(found: Found) -> Judgement:
    if found.refusal is None:
        return judge(found.path)
    wrong = error_of(found.refusal, remedy(found.refusal, None), lambda _: None)
    return Judgement(path=found.path, findings=(wrong,))


def _print(judgements: Sequence[Judgement], out: Console) -> None:
    for each in judgements:
        out.print(Text(_headline(each)), soft_wrap=True)
        for finding in each.findings:
            out.print(Text(_line(finding)), soft_wrap=True)
    bad = sum(1 for each in judgements if not each.opens)
    if len(judgements) > 1:
        out.print(Text(f"\n{len(judgements)} logs, {bad} of which the runtime would not open."))


def _headline(judgement: Judgement) -> str:
    name = printable(str(judgement.path))
    verdict = "the runtime opens it" if judgement.opens else "the runtime would not open it"
    if judgement.format is None:
        return f"{name}: {verdict}"
    how = "" if judgement.compression == "none" else ", compressed"
    return f"{name}: v{judgement.format}{how}, {judgement.events} events: {verdict}"


def _line(finding: Finding) -> str:
    where = "" if finding.line is None else f"line {finding.line}, "
    where += "" if finding.seq is None else f"seq {finding.seq}, "
    told = f"  {finding.severity}: {where}{finding.problem} [{finding.rule}]"
    return printable(f"{told} {finding.remedy}")
