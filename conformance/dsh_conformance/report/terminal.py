"""The report as a person reads it, on a terminal or in a file.

The order is that of the reader's questions: who was judged and how hard; what it comes to, in
numbers; each failure whole (the rule, why it matters, the smallest run, expected beside actual, how
to replay it); what else is not green, with reasons; and one closing sentence.
"""

from collections import Counter
from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from dsh_conformance.profiles import PROFILES
from dsh_conformance.report.closing import closing
from dsh_conformance.report.explain import statement
from dsh_conformance.report.failing import print_failure, print_pair, print_stale
from dsh_conformance.report.invocation import Invocation
from dsh_conformance.report.printable import paragraph, printable
from dsh_conformance.report.verdict import Report, RuleVerdict, Verdict

#: The verdicts in the order of the summary, with their words and styles.
_WORDS: Sequence[tuple[Verdict, str, str]] = (
    ("passed", "passed", "green"),
    ("failed", "failed", "bold red"),
    ("stale-expectation", "stale expectation", "bold red"),
    ("not-exercised", "not exercised", "bold yellow"),
    ("expected-failure", "expected failure", "yellow"),
    ("not-claimed", "not claimed", "dim"),
)


def print_report(report: Report, invocation: Invocation, console: Console) -> None:
    """Write *report* to *console*; *invocation* says how to replay its failures."""
    console.print(_heading(report))
    if report.fault is None:
        console.print(_summary(report))
    for each in _having(report, "failed"):
        print_failure(each, invocation, console)
    for each in _having(report, "stale-expectation"):
        print_stale(each, console)
    _print_not_exercised(report, console)
    _print_expected(report, console)
    _print_not_claimed(report, console)
    _print_notes(report, console)
    console.print()
    _print_closing(report, console)


def _having(report: Report, verdict: Verdict) -> tuple[RuleVerdict, ...]:
    return tuple(each for each in report.rules if each.verdict == verdict)


def _heading(report: Report) -> Text:
    who = report.implementation
    name = f"{who.name} {who.version} ({who.language})" if who else "unknown implementation"
    judged = f"{' and '.join(report.tracks)} track, " if report.tracks else ""
    depth = f"{judged}profile {report.profile}, seed {report.seed}"
    work = f": {report.examples} examples, {report.steps} steps, {report.seconds:.1f} s"
    return Text.assemble((printable(name), "bold"), f"\n{depth}{'' if report.fault else work}")


def _summary(report: Report) -> Padding:
    counts = Counter(each.verdict for each in report.rules)
    table = Table.grid(padding=(0, 1))
    table.add_column(justify="right", min_width=4)
    for verdict, words, style in _WORDS:
        if counts[verdict]:
            table.add_row(Text(str(counts[verdict]), style=style), Text(words, style=style))
    return Padding(table, (1, 0, 0, 0))


def _print_not_exercised(report: Report, console: Console) -> None:
    """Write what the run says nothing about, and what to do; in short where a run was cut off."""
    idle = _having(report, "not-exercised")
    if not idle:
        return
    _print_title("NOT EXERCISED", "bold yellow", console)
    if _having(report, "failed"):
        listed = ", ".join(f"{each.rule} ({each.exercised})" for each in idle)
        console.print(Padding(Text(f"often enough: {listed}"), (0, 0, 0, 2)))
        remedy = "Mend the failures first: a run ends where it breaks a rule."
    else:
        _print_idle(idle, report.profile, console)
        remedy = "A deeper --profile may get there; what no run gets to cannot be claimed."
    console.print(Padding(Text(remedy), (0, 0, 0, 2)))


def _print_idle(idle: Sequence[RuleVerdict], profile: str, console: Console) -> None:
    demanded = PROFILES.get(profile)
    demand = f" of {demanded.at_least}" if demanded else ""
    for each in idle:
        print_pair(f"{each.exercised}{demand}", f"{each.rule}: {statement(each.rule)}", console)


def _print_expected(report: Report, console: Console) -> None:
    expected = _having(report, "expected-failure")
    if expected:
        _print_title("EXPECTED FAILURES", "yellow", console)
    for each in expected:
        console.print(Padding(Text(f"{each.rule}: {printable(each.reason or '')}"), (0, 0, 0, 2)))


def _print_title(title: str, style: str, console: Console) -> None:
    console.print()
    console.print(Text(title, style=style))


def _print_not_claimed(report: Report, console: Console) -> None:
    reasons = Counter(each.reason or "" for each in _having(report, "not-claimed"))
    if reasons:
        listed = (f"{printable(reason)} ({count})" for reason, count in reasons.items())
        console.print()
        console.print(Text(f"Not claimed: {'; '.join(listed)}."))


def _print_notes(report: Report, console: Console) -> None:
    if report.notes:
        console.print()
    for note in report.notes:
        console.print(Text(f"Note: {printable(note)}"))


def _print_closing(report: Report, console: Console) -> None:
    style = "bold green" if report.verdict == "conformant" else "bold"
    console.print(Text(closing(report), style=style))
    if report.fault is not None:
        for line in paragraph(report.fault.stderr_tail):
            console.print(Padding(Text(line, overflow="fold"), (0, 0, 0, 4)))
