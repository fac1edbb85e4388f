"""The two tellings of the long session, as files where a runtime looks for them."""

from pathlib import Path
from typing import Literal

from attrs import frozen

from dsh_conformance.bench.twins import batches, header
from dsh_reference.files import batch_lines, header_line, log_path


@frozen(kw_only=True)
class TwinFiles:
    """The log of v4 and its twin of v0, each in a workspace of its own."""

    #: The workspace with the log of v4.
    newest: Path
    #: The workspace with the log of v0.
    oldest: Path

    def log(self, version: Literal[0, 4]) -> Path:
        """Return the file of one of the two."""
        root = self.newest if version == 4 else self.oldest
        return root / log_path(header(version), "none")


def write_twins(place: Path, events: int) -> TwinFiles:
    """Write the session with at least so many events in v4 to a directory, turn by turn."""
    twins = TwinFiles(newest=place / "v4", oldest=place / "v0")
    paths = twins.log(4), twins.log(0)
    for path in paths:
        path.parent.mkdir(parents=True)
    with paths[0].open("wb") as newest, paths[1].open("wb") as oldest:
        newest.write(header_line(header(4), 0))
        oldest.write(header_line(header(0), 0))
        for batch in batches(events):
            newest.write(batch_lines(batch.newest, 4))
            oldest.write(batch_lines(batch.oldest, 0))
    return twins
