"""``replay``: run a counterexample's script against an implementation once more."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from attrs import frozen
from fastjsonschema import JsonSchemaException

from dsh_conformance.commands import options
from dsh_conformance.commands.consoles import result_console
from dsh_conformance.commands.driving import find
from dsh_conformance.implementation.smoke import smoke
from dsh_conformance.replay import replay
from dsh_conformance.report.jsonreport import checker
from dsh_conformance.report.replayed import print_replay
from dsh_reference.refusal import Refusal
from dsh_reference.values import parse
from dsh_spec.values import JsonObject

#: The largest script that is read, in bytes.
LARGEST = 64 * 2**20


@frozen(kw_only=True)
class Request:
    """What the command line asks for."""

    #: Where the script is.
    script: Path
    #: The implementation's name.
    impl: str | None
    #: The adapter's command.
    command: tuple[str, ...]
    #: The implementation's configuration.
    config: Mapping[str, str]
    #: How long a call may take, in seconds.
    deadline: float | None


@click.command("replay", cls=options.CommandLine, short_help="Replay a counterexample.")
@click.argument("script", type=click.Path(path_type=Path))
@click.option("--impl", metavar="IMPL", help="A built-in, or package.module:factory.")
@options.config
@options.deadline
def command(**given: Any) -> int:
    """Replay SCRIPT, a file of scripts/ in a report, against an implementation."""
    return run(Request(**given))


def run(request: Request) -> int:
    """Do what *request* asks for, and return the exit status."""
    lines = read_script(request.script)
    launcher = find(request.impl, request.command, request.config, request.deadline)
    try:
        result = replay(lines, launcher, smoke(launcher, _tracks(lines)))
    except ValueError as error:
        raise click.UsageError(f"{str(request.script)!r}: {error}") from None
    with result_console() as out:
        print_replay(result, out)
    return 0 if result.verdict == "kept" else 1


def _tracks(lines: Sequence[JsonObject]) -> frozenset[str]:
    """Return the tracks whose methods a script calls."""
    methods = (line.get("method") for line in lines)
    return frozenset(each.partition("/")[0] for each in methods if isinstance(each, str))


def read_script(path: Path) -> tuple[JsonObject, ...]:
    """Return the lines of the script at *path*; a file that is none is wrong use."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        why = (error.strerror or "unknown error").lower()
        raise click.UsageError(f"cannot read the script {str(path)!r}: {why}") from None
    if len(data) > LARGEST:
        raise click.UsageError(f"the script {str(path)!r} is larger than {LARGEST} bytes")
    lines = tuple(_lines(path, data))
    if not lines:
        raise click.UsageError(f"the script {str(path)!r} is empty")
    if "script" not in lines[0]:
        raise click.UsageError(f"line 1 of {str(path)!r} is not the head of a replay script")
    return lines


def _lines(path: Path, data: bytes) -> Iterator[JsonObject]:
    for number, text in enumerate(data.splitlines(), start=1):
        value = parse(text)
        where = f"line {number} of {str(path)!r}"
        if isinstance(value, Refusal):
            raise click.UsageError(f"{where} is not JSON: {value.problem}")
        try:
            checker("script")(value)
        except JsonSchemaException:
            raise click.UsageError(f"{where} is no line of a replay script") from None
        if isinstance(value, Mapping):
            yield value
