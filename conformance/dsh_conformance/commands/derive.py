"""``derive``: what the model sees of a log."""

from pathlib import Path

import click

from dsh_conformance.commands import outputs
from dsh_conformance.logs.loading import NotValidError, load_migrated, say_not_valid
from dsh_reference.derive import derive
from dsh_reference.refusal import Refusal
from dsh_reference.values import dump
from dsh_spec.events import structure_event


@click.command("derive", short_help="Write the messages that the model sees.")
@outputs.place
def command(place: Path) -> int:
    """Write the messages that the model sees of FILE, one a line.

    A log of an older format is migrated first, as a reader does it.
    """
    try:
        log = load_migrated(place)
        messages = derive([structure_event(event) for event in log.events])
        if isinstance(messages, Refusal):
            raise NotValidError(place, messages)
    except NotValidError as error:
        return say_not_valid(error)
    for message in messages:
        click.echo(dump(message))
    return 0
