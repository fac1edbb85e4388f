"""``fork``: the log of a new session that goes on from within another."""

import time
import uuid
from pathlib import Path

import click

from dsh_conformance.commands import outputs
from dsh_conformance.logs.loading import NotValidError, load_migrated, say_not_valid
from dsh_conformance.logs.writing import encoding_for, log_bytes, put
from dsh_reference.fork import fork_seed
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_spec.events import EndSeed, Event, structure_event, unstructure_event
from dsh_spec.values import Json


@click.command("fork", short_help="Make a new session that begins like another.")
@outputs.place
@click.option("--at", type=int, metavar="SEQ", help="The last event to inherit; else all are.")
@click.option("--id", "child", metavar="ID", help="The id of the new session; else a new UUID.")
@click.option(
    "--created-at",
    type=click.IntRange(0, 2**53 - 1),
    metavar="MS",
    help="When the new session was created, in ms since 1970; else now.",
)
@outputs.output
@outputs.force
def command(
    place: Path,
    at: int | None,
    child: str | None,
    created_at: int | None,
    output: Path | None,
    *,
    force: bool,
) -> int:
    """Write the log of a new session, of format v4, that inherits FILE up to SEQ.

    A log of an older format is migrated first, and SEQ counts in what comes of that.
    """
    created = time.time_ns() // 1_000_000 if created_at is None else created_at
    try:
        source = load_migrated(place)
        forked = _forked(source, at, str(uuid.uuid4()) if child is None else child, created)
        if isinstance(forked, Refusal):
            raise NotValidError(place, forked)
    except NotValidError as error:
        return say_not_valid(error)
    put(log_bytes(forked, "none" if output is None else encoding_for(output)), output, force=force)
    return 0


def _forked(source: SessionLog, at: int | None, child: str, created: int) -> SessionLog | Refusal:
    """Return the child's log; a fork of nothing has the marker alone, at its own time."""
    seed = fork_seed([structure_event(event) for event in source.events], at)
    if isinstance(seed, Refusal):
        return seed
    marker = Event(type="session/end-seed", seq=0, time=created, data=EndSeed(inherited=True))
    events = tuple(unstructure_event(event) for event in seed.events or (marker,))
    header: dict[str, Json] = {"version": 4, "id": child, "createdAt": created, "isSeeded": True}
    header["parentSession"] = source.header["id"]
    if "cwd" in source.header:
        header["cwd"] = source.header["cwd"]
    return SessionLog(header=header, inherited=seed.inherited, events=events)
