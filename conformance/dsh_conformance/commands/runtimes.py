"""``runtimes``: fetch the real runtimes of older formats, and show where they are."""

from pathlib import Path

import click

from dsh_conformance.implementation.runtimes import (
    DISTRIBUTION,
    OLDER,
    VARIABLE,
    install,
    place,
    runtimes_directory,
    version_of,
)


@click.group("runtimes", short_help="Install the real runtimes of older formats.")
def command() -> None:
    """Install the real runtimes of older formats, and show where they are."""


@command.command("install", short_help="Install them with pip, each to a directory of its own.")
@click.argument("directory", required=False, type=click.Path(path_type=Path, file_okay=False))
def install_all(directory: Path | None) -> None:
    """Install each older runtime to DIRECTORY/VERSION, with pip, unless it is there.

    The wheels all bring the same module, so that no environment can hold two of them.
    """
    for era in OLDER.values():
        new = install(era, directory)
        said = "installed in" if new else "is in"
        click.echo(f"{era.name} ({DISTRIBUTION} {version_of(era)}) {said} {place(era, directory)}")
    if directory is not None and directory.absolute() != runtimes_directory():
        click.echo(f"set {VARIABLE}={directory.absolute()} for them to be found")


@command.command("list", short_help="Show where each is looked for.")
def list_all() -> None:
    """Show where each older runtime is looked for, and whether it is there."""
    for era in OLDER.values():
        found = "is in" if place(era).is_dir() else "is not in"
        click.echo(f"{era.name} ({DISTRIBUTION} {version_of(era)}) {found} {place(era)}")
