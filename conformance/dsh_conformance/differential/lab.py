"""The runtimes that a format is compared with, started when they are first needed."""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from dsh_conformance.differential import native, ours
from dsh_conformance.differential.judgement import ADMITTED, Difference, Judgement, difference
from dsh_conformance.differential.specimen import Specimen
from dsh_conformance.differential.theirs import Runtime
from dsh_conformance.generate.formats import Format
from dsh_conformance.implementation.names import resolve
from dsh_conformance.implementation.runtimes import OLDER
from dsh_reference.files import Compression

#: What the reference expects of a runtime, or nothing where it expects nothing.
_Expectation: TypeAlias = Callable[[Specimen], Judgement | None]
#: What a runtime makes of a log.
_Observation: TypeAlias = Callable[[Runtime, Specimen], Judgement]


def _current(specimen: Specimen) -> Judgement:
    return ours.current(specimen)


_SIDES: Mapping[str, tuple[_Expectation, _Observation]] = MappingProxyType(
    {
        "dsh": (_current, Runtime.judge),
        "dsh-v3": (native.as_v3, Runtime.judge),
        "dsh-v0": (native.as_v0, Runtime.judge_by_id),
    }
)

#: How long a runtime may take to answer, in seconds.
_DEADLINE = 120.0


class Lab:
    """The runtimes by name and encoding."""

    def __init__(self, exits: ExitStack) -> None:
        self._exits = exits
        self._running: dict[tuple[str, Compression], Runtime] = {}

    def compare(self, specimen: Specimen) -> tuple[Difference | None, Judgement]:
        """Return the first difference, if there is one, and what the reference says."""
        judged = ours.current(specimen)
        for name in runtimes_for(specimen.format):
            found = self.difference(name, specimen)
            if found is not None:
                return found, judged
        return None, judged

    def difference(self, name: str, specimen: Specimen) -> Difference | None:
        """Return how the runtime called *name* differs, if it does; raises `Fault`."""
        expected, observed = _SIDES[name]
        reference = expected(specimen)
        if reference is None:
            return None
        runtime = observed(self._runtime(name, specimen), specimen)
        if name in OLDER and specimen.spoilt and runtime.verdict != ADMITTED:
            return None  # It was never said what an older runtime takes for damage.
        return difference(name, reference, runtime)

    def _runtime(self, name: str, specimen: Specimen) -> Runtime:
        key = (name, specimen.compression)
        if key not in self._running:
            self._running[key] = self._start(*key)
        return self._running[key]

    def _start(self, name: str, compression: Compression) -> Runtime:
        place = self._exits.enter_context(tempfile.TemporaryDirectory(prefix="dsh-differential-"))
        launcher = resolve(name, (), {"compression": compression}, deadline=_DEADLINE)
        connection = launcher.launch(Path(place))
        self._exits.callback(connection.kill)
        return Runtime(connection=connection, workspace=Path(place), compression=compression)


def runtimes_for(version: Format) -> tuple[str, ...]:
    """Return the runtimes that read a format: the current one, and its own where there is one."""
    return ("dsh", *(name for name in ("dsh-v3", "dsh-v0") if name == f"dsh-v{version}"))


@contextmanager
def lab() -> Iterator[Lab]:
    """Give a lab whose runtimes end with it."""
    with ExitStack() as exits:
        yield Lab(exits)
