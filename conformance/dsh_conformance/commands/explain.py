"""``explain``: a rule, whole, or the list of them all."""

import json
import sys
from collections.abc import Sequence

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from dsh_conformance.commands.consoles import result_console
from dsh_conformance.commands.suggest import near
from dsh_conformance.report.explain import as_json, listing, whole
from dsh_conformance.sabotage.catalogue import breaking
from dsh_spec.catalogue import Rule, rules


@click.command("explain", short_help="Explain a rule, or list the rules.")
@click.argument("rule", required=False)
@click.option("--json", "as_data", is_flag=True, help="Write JSON.")
def command(rule: str | None, *, as_data: bool) -> int:
    """Explain RULE: what it says, why, for whom it holds, and what proves that its check bites.

    Without RULE, list every rule.
    """
    found = rules() if rule is None else (_find(rule),)
    if as_data:
        values = [as_json(each, breaking(each.slug)) for each in found]
        click.echo(json.dumps(values if rule is None else values[0], indent=2))
    elif rule is None:
        sys.stdout.writelines(f"{line}\n" for line in listing(found))
    else:
        with result_console() as out:
            _print(whole(found[0], breaking(found[0].slug)), out)
    return 0


def _find(slug: str) -> Rule:
    catalogue = {each.slug: each for each in rules()}
    if slug.upper() not in catalogue:
        hint = near(slug, catalogue) or "; 'explain' without a rule lists them"
        raise click.UsageError(f"no rule is called {slug!r}{hint}")
    return catalogue[slug.upper()]


def _print(fields: Sequence[tuple[str, str]], console: Console) -> None:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    table.add_column(ratio=1)
    for label, text in fields:
        table.add_row(Text(label), Text(text))
    console.print(table)
