"""The list of the tracks, and their suites."""

import subprocess
import sys

from dsh_conformance.tracks import TRACKS
from dsh_conformance.tracks.registry import SUITES


def test_every_track_has_a_suite_and_no_other_has() -> None:
    assert tuple(SUITES) == TRACKS
    assert [make().track for make in SUITES.values()] == list(TRACKS)


def test_an_adapter_that_is_served_here_loads_no_suite() -> None:
    """Every run starts processes, and a suite takes longer to load than to answer a call."""
    served = "import dsh_conformance.commands.serve, dsh_conformance.backends.named, sys;"
    said = f"{served} print([m for m in sys.modules if m in {['hypothesis', *_suites()]}])"
    done = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def _suites() -> list[str]:
    return ["dsh_conformance.tracks.registry", *(make.__module__ for make in SUITES.values())]
