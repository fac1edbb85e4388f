"""``serve``: put a built-in implementation behind the adapter protocol."""

from collections.abc import Mapping

import click

from dsh_conformance.commands import options
from dsh_conformance.implementation.names import Misuse
from dsh_conformance.implementation.serve import run


@click.command("serve", short_help="Serve an implementation over the adapter protocol.")
@click.argument("impl")
@options.config
def command(impl: str, config: Mapping[str, str]) -> int:
    """Speak the adapter protocol on stdin and stdout for IMPL.

    IMPL is memory, jsonl, sqlite or reference, or a Python factory named package.module:factory.
    """
    try:
        return run(impl, config)
    except Misuse as misuse:
        raise click.UsageError(str(misuse)) from None
