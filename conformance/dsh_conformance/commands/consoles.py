"""Where the commands write: the result to stdout, the progress to stderr."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

#: How wide the result is when it does not go to a terminal, in columns.
WIDE = 100


@contextmanager
def result_console() -> Iterator[Console]:
    """Give the console of the result.

    On a terminal it is as wide as that; in a file or a pipe it is `WIDE` columns of plain text
    without trailing blanks.
    """
    console = Console(highlight=False, markup=False, emoji=False)
    if console.is_terminal:
        yield console
        return
    console.width = WIDE
    with console.capture() as captured:
        yield console
    console.file.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


def progress_console() -> Console:
    """Return the console of the progress."""
    return Console(stderr=True, highlight=False, markup=False, emoji=False)
