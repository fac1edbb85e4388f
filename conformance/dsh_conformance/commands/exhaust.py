"""``exhaust``: try every small log."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import click

from dsh_conformance.commands import options
from dsh_conformance.commands.driving import find
from dsh_conformance.exhaust.expanding import Breach
from dsh_conformance.exhaust.implementation import Find, connected, reference
from dsh_conformance.exhaust.search import Level, Scope, exhaust
from dsh_conformance.exhaust.shapes import ALPHABETS, OPENINGS
from dsh_conformance.report.printable import printable
from dsh_reference.values import dump
from dsh_spec.catalogue import rule


@click.command("exhaust", cls=options.CommandLine, short_help="Try every small log of v4.")
@click.argument("impl", metavar="[IMPL]", required=False)
@click.option(
    "--depth",
    type=click.IntRange(1, 12),
    default=4,
    show_default=True,
    metavar="N",
    help="Try logs of up to N events behind the opening.",
)
@click.option(
    "--alphabet",
    "alphabets",
    type=click.Choice([*ALPHABETS]),
    multiple=True,
    help="Take the shapes of this alphabet only; may be given again.",
)
@click.option(
    "--after",
    "opening",
    type=click.Choice([*OPENINGS]),
    default=None,
    help="Begin every log with this instead of the alphabet's own opening.",
)
@click.option("--json", "as_json", is_flag=True, help="Write the findings as JSON.")
@options.workers
@options.config
@options.deadline
def command(**given: Any) -> int:
    """Try every log over a few shapes of events, the short ones first, by every law of the core.

    A law says what an answer has to be by what the shapes say of themselves, or by another answer.
    Without IMPL and COMMAND the reference is tried; else what they name, over the protocol.
    A search ends behind the first length at which a law is broken, so that the log is a smallest.
    Six events take some minutes, each more about seven times as long.
    """
    who = _finder(given["impl"], given["command"], given["config"], given["deadline"])
    chosen: Sequence[str] = given["alphabets"] or [*ALPHABETS]
    found: dict[str, list[Level]] = {}
    for name in chosen:
        scope = Scope(alphabet=name, depth=given["depth"], opening=given["opening"] or "")
        if not given["as_json"]:
            click.echo(f"{name}, after {scope.begins}")
        for level in exhaust(scope, find=who, workers=given["workers"]):
            found.setdefault(name, []).append(level)
            if not given["as_json"]:
                _show(level)
    if given["as_json"]:
        click.echo(json.dumps({name: [*map(_data, each)] for name, each in found.items()}))
    levels = [level for each in found.values() for level in each]
    return 1 if any(level.tally.breaches for level in levels) else 0


def _finder(
    impl: str | None,
    words: tuple[str, ...],
    config: Mapping[str, str],
    deadline: float | None,
) -> Find:
    if impl is None and not words:
        return reference
    # A name that means nothing is told before a process starts.
    find(impl, words, config, deadline)
    return partial(connected, partial(find, impl, words, config, deadline))


def _show(level: Level) -> None:
    tally = level.tally
    click.echo(
        f"  {level.depth} event{'s'[: level.depth != 1]}: {tally.taken} logs, "
        f"{tally.refused.total()} events refused, {tally.claims.total()} claims "
        f"on {len(tally.claims)} rules"
    )
    for slug, count in sorted(tally.refused.items()):
        click.echo(f"    {count} refused by {slug}")
    for slug, breach in sorted(tally.breaches.items()):
        _show_breach(slug, breach)


def _show_breach(slug: str, breach: Breach) -> None:
    click.echo(f"  BROKEN {slug}: {rule(slug).statement}")
    for event in breach.events:
        click.echo(f"    {printable(dump(event))}")
    if breach.refused is not None:
        click.echo(f"    then, to be refused: {printable(dump(breach.refused))}")
    click.echo(f"    expected {printable(dump(breach.claim.expected))}")
    click.echo(f"    actual   {printable(dump(breach.claim.actual))}")


def _data(level: Level) -> Mapping[str, Any]:
    tally = level.tally
    return {
        "depth": level.depth,
        "logs": tally.taken,
        "refused": dict(tally.refused),
        "claims": dict(tally.claims),
        "broken": [
            {
                "rule": slug,
                "events": [*breach.events],
                "refused": breach.refused,
                "expected": breach.claim.expected,
                "actual": breach.claim.actual,
            }
            for slug, breach in sorted(tally.breaches.items())
        ],
    }
