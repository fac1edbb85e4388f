"""The command ``dsh-conformance``; the commands themselves live in `dsh_conformance.commands`."""

import click

from dsh_conformance import __version__
from dsh_conformance.commands.program import Program


@click.group(
    cls=Program,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit status: 0 yes; 1 no; 2 wrong use; 3 the implementation could not be driven.",
)
@click.version_option(__version__, prog_name="dsh-conformance")
def main() -> None:
    """Certify backends of dsh session logs against the executable specification."""
