"""What several commands take: options, and a command line after ``--``."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import click

from dsh_conformance.commands.suggest import near
from dsh_conformance.profiles import PROFILES, Profile
from dsh_conformance.tracks import TRACKS

#: What click calls when an option was given.
Option: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]

#: The longest deadline of a call, in seconds: a day.
LONGEST_DEADLINE = 86_400
#: The tracks that the adapter protocol knows.
KNOWN_TRACKS = ("store", "core", "migration", "files", "live")


class CommandLine(click.Command):
    """A command whose own arguments may be followed by ``-- COMMAND …``.

    All that follows the first ``--`` is the command, to the letter, and becomes the parameter
    ``command``: a tuple of words, empty when there is no ``--``.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Split the command off before click looks at what is left."""
        own, command = split(args)
        if command == ():
            raise click.UsageError("no command follows the '--'", ctx)
        ctx.params["command"] = command or ()
        return super().parse_args(ctx, own)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Name the command in the usage line."""
        return [*super().collect_usage_pieces(ctx), "[-- COMMAND ...]"]


def split(args: Sequence[str]) -> tuple[list[str], tuple[str, ...] | None]:
    """Return what stands before the first ``--`` and what stands after it, if there is one."""
    words = list(args)
    if "--" not in words:
        return words, None
    at = words.index("--")
    return words[:at], tuple(words[at + 1 :])


def pairs(what: str, values: Sequence[str]) -> dict[str, str]:
    """Return ``KEY=VALUE`` options as a mapping; *what* is the option's metavar."""
    found: dict[str, str] = {}
    for each in values:
        key, equals, value = each.partition("=")
        if not key or not equals:
            raise click.BadParameter(f"{each!r} is not of the form {what}")
        if key in found:
            raise click.BadParameter(f"{key!r} is given twice")
        found[key] = value
    return found


def _config(_: click.Context, __: click.Parameter, values: Sequence[str]) -> Mapping[str, str]:
    return pairs("KEY=VALUE", values)


def _tracks(_: click.Context, __: click.Parameter, values: Sequence[str]) -> tuple[str, ...]:
    for each in values:
        if each in TRACKS:
            continue
        if each in KNOWN_TRACKS:
            able = ", ".join(TRACKS)
            raise click.BadParameter(f"the {each} track cannot be certified yet, only {able}")
        raise click.BadParameter(f"no track is called {each!r}{near(each, KNOWN_TRACKS)}")
    return tuple(dict.fromkeys(values))


def _profile(_: click.Context, __: click.Parameter, value: str) -> Profile:
    if value not in PROFILES:
        names = ", ".join(PROFILES)
        raise click.BadParameter(f"no profile is called {value!r}; there are {names}")
    return PROFILES[value]


def _deadline(_: click.Context, __: click.Parameter, value: float | None) -> float | None:
    if value is not None and not 0 < value <= LONGEST_DEADLINE:
        problem = f"{value:g} is not more than 0 and at most {LONGEST_DEADLINE} seconds"
        raise click.BadParameter(problem)
    return value


profile: Option = click.option(
    "--profile",
    default="quick",
    show_default=True,
    metavar="PROFILE",
    callback=_profile,
    help="How hard to look: quick (a minute), standard (for CI), thorough (an hour).",
)
seed: Option = click.option(
    "--seed",
    type=click.IntRange(0, 2**64 - 1),
    default=0,
    show_default=True,
    metavar="N",
    help="With the profile it reproduces a run exactly.",
)
tracks: Option = click.option(
    "--track",
    "tracks",
    multiple=True,
    metavar="TRACK",
    callback=_tracks,
    help=f"Take this track only ({', '.join(TRACKS)}); may be given again.",
)
config: Option = click.option(
    "--config",
    multiple=True,
    metavar="KEY=VALUE",
    callback=_config,
    help="Configuration for a built-in or a Python factory; may be given again.",
)
report: Option = click.option(
    "--report",
    "directory",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write the reports and replay scripts to DIR.",
)
force: Option = click.option(
    "--force", is_flag=True, help="Write to DIR although it holds something already."
)
deadline: Option = click.option(
    "--deadline",
    type=float,
    metavar="SECONDS",
    callback=_deadline,
    help="How long the adapter may take for one call.",
)
database: Option = click.option(
    "--database",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Keep failing examples in DIR and try them first next time.",
)
workers: Option = click.option(
    "--workers",
    type=click.IntRange(1, 256),
    default=2,
    show_default=True,
    metavar="N",
    help="Spread the work over N processes; the seed and N together reproduce a run.",
)
