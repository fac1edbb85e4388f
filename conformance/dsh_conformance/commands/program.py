"""The frame around every command: which there are, and how each of them ends.

Exit status everywhere: 0 yes; 1 no; 2 wrong use; 3 the implementation could not be driven, or the
suite itself failed; 130 interrupted.
Whatever goes wrong ends in one line on stderr that says what to do, never in a traceback; with
``DSH_CONFORMANCE_DEBUG=1`` the traceback of a failure of the suite is shown too.
"""

import contextlib
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NoReturn, TextIO, cast

import click

from dsh_conformance.commands.suggest import near
from dsh_conformance.implementation.outcome import Fault
from dsh_conformance.report.errors import Unwritable
from dsh_conformance.report.printable import paragraph, printable

#: The name of the program in its messages.
NAME = "dsh-conformance"

#: The commands in the order of ``--help``; each is the attribute ``command`` of its module.
COMMANDS = (
    "certify",
    "replay",
    "lint",
    "derive",
    "repair",
    "fork",
    "migrate",
    "explain",
    "serve",
    "sabotage",
    "exhaust",
    "bench",
    "golden",
    "differential",
    "runtimes",
)

#: Set to show the traceback of a failure of the suite.
DEBUG = "DSH_CONFORMANCE_DEBUG"


class HungUp(Exception):  # noqa: N818 - nothing went wrong here
    """Nobody reads the result any more."""


class Program(click.Group):
    """A group that imports a command when it is called, and ends as the module docstring says."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"dsh_conformance.commands.{cmd_name}")
        return cast("click.Command", module.command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that *args* begin with, or say which name comes near."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            raise click.UsageError(
                f"no command is called {args[0]!r}{near(args[0], COMMANDS)}", ctx
            )
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; click itself would end a broken pipe with exit status 1."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise HungUp from None

    def main(self, args: Sequence[str] | None = None, *_: Any, **__: Any) -> NoReturn:
        """Run the command line *args*, those of the process by default, and exit."""
        for stream in (sys.stdout, sys.stderr):
            _never_fail_to_encode(stream)
        run = super().main
        given = None if args is None else list(args)
        sys.exit(guarded(lambda: run(given, NAME, standalone_mode=False)))


def _never_fail_to_encode(stream: TextIO) -> None:
    """Let a terminal that does not know a character show its escape."""
    with contextlib.suppress(AttributeError, ValueError):
        cast("Any", stream).reconfigure(errors="backslashreplace")


def guarded(run: Callable[[], object]) -> int:
    """Call *run*, which returns an exit status or nothing, and turn all that it raises into one."""
    try:
        status = run()
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return 2
    except click.ClickException as error:
        return _say(_usage(error), 2)
    except Unwritable as error:
        return _say(str(error), 2)
    except (click.Abort, KeyboardInterrupt):
        return _say("interrupted", 130)
    except (BrokenPipeError, HungUp):
        return _hang_up()
    except Fault as fault:
        return _fault(fault)
    except SystemExit:
        raise
    except BaseException as error:  # noqa: BLE001 - the last resort: no failure ends in a traceback
        return _own_fault(error)
    return status if isinstance(status, int) else 0


def _say(message: str, status: int) -> int:
    click.echo(f"{NAME}: {printable(message)}", err=True)
    return status


def _usage(error: click.ClickException) -> str:
    """Return the error in one line, with the command whose help says more."""
    message = " ".join(error.format_message().split()).rstrip(".")
    context = error.ctx if isinstance(error, click.UsageError) else None
    return f"{message} (see {context.command_path} --help)" if context else message


def _fault(fault: Fault) -> int:
    """Say who is to blame, and what it said last."""
    status = _say(f"{fault.diagnosis.blame}: {fault.diagnosis.what}", 3)
    for line in paragraph(fault.diagnosis.stderr_tail):
        click.echo(f"    {line}", err=True)
    return status


def _own_fault(error: BaseException) -> int:
    if os.environ.get(DEBUG) == "1":
        traceback.print_exception(error)
    words = " ".join(str(error).split())
    what = f"{type(error).__name__}: {words}" if words else type(error).__name__
    return _say(
        f"{what}; this is a fault of the suite, please report it"
        f" ({DEBUG}=1 shows where it happened)",
        3,
    )


def _hang_up() -> int:
    """End quietly when nobody reads any more, as SIGPIPE would have ended the process."""
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - until the exit
    return 141
