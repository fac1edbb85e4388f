"""``--xfail RULE=REASON``: what is known to be broken, and why."""

from collections.abc import Mapping, Sequence

import click

from dsh_conformance.commands.options import Option, pairs
from dsh_conformance.commands.suggest import near
from dsh_spec.catalogue import rules


def _xfail(_: click.Context, __: click.Parameter, values: Sequence[str]) -> Mapping[str, str]:
    """Structure the expected failures; each names a rule and says why."""
    found = pairs("RULE=REASON", values)
    slugs = [each.slug for each in rules()] if found else []
    for slug, reason in found.items():
        if slug not in slugs:
            raise click.BadParameter(f"no rule is called {slug!r}{near(slug, slugs)}")
        if not reason.strip():
            raise click.BadParameter(f"{slug} needs a reason: {slug}=REASON")
    return found


xfail: Option = click.option(
    "--xfail",
    multiple=True,
    metavar="RULE=REASON",
    callback=_xfail,
    help="A rule known to be broken, and why; it fails the run once it is kept.",
)
