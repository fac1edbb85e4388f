"""From what was named on the command line to something that can be driven."""

from collections.abc import Mapping, Sequence

import click

from dsh_conformance.implementation.connection import Launcher
from dsh_conformance.implementation.names import Misuse, resolve


def find(
    impl: str | None, command: Sequence[str], config: Mapping[str, str], deadline: float | None
) -> Launcher:
    """Return the launcher of what was named; a name that means nothing is wrong use."""
    try:
        if deadline is None:
            return resolve(impl, command, config)
        return resolve(impl, command, config, deadline=deadline)
    except Misuse as misuse:
        raise click.UsageError(str(misuse)) from None
