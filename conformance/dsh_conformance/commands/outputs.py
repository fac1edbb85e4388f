"""The options of commands that write a log."""

from pathlib import Path

import click

from dsh_conformance.commands.options import Option

place = click.argument("place", metavar="FILE", type=click.Path(path_type=Path, exists=True))
output: Option = click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="OUT",
    help="Write to OUT, compressed if its name ends with .zstd; else to stdout.",
)
force: Option = click.option("--force", is_flag=True, help="Replace OUT if it exists.")
