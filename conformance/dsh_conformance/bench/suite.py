"""How fast the suite is, and where its time goes.

`measure` certifies an implementation while a stopwatch runs during every call to it.
What is left of the elapsed time is the suite's own: generation, the model, comparison.
"""

from pathlib import Path
from time import perf_counter

from attrs import define, field, frozen

from dsh_conformance.certify import Terms, certify
from dsh_conformance.implementation.capabilities import Capabilities
from dsh_conformance.implementation.connection import Connection, Launcher
from dsh_conformance.implementation.outcome import Outcome
from dsh_conformance.implementation.smoke import smoke
from dsh_conformance.profiles import Profile
from dsh_spec.values import JsonObject


@define
class Stopwatch:
    """Adds up the time that passes while it runs."""

    #: The sum so far, in seconds.
    seconds: float = 0.0
    #: How often it ran.
    times: int = 0
    _began: float = field(default=0.0, init=False)

    def __enter__(self) -> None:
        self._began = perf_counter()

    def __exit__(self, *_: object) -> None:
        self.seconds += perf_counter() - self._began
        self.times += 1


@frozen(kw_only=True)
class TimedConnection:
    """A connection whose every call is timed."""

    #: The connection itself.
    inner: Connection
    #: What times the calls.
    calls: Stopwatch
    #: What times the beginnings and ends.
    lives: Stopwatch

    @property
    def capabilities(self) -> Capabilities:
        """What the implementation claims."""
        return self.inner.capabilities

    def call(self, method: str, params: JsonObject) -> Outcome:
        """Call a method."""
        with self.calls:
            return self.inner.call(method, params)

    def close(self) -> None:
        """End the instance in order."""
        with self.lives:
            self.inner.close()

    def kill(self) -> None:
        """End the instance as a crash would."""
        with self.lives:
            self.inner.kill()


@frozen(kw_only=True)
class TimedLauncher:
    """A launcher of timed connections."""

    #: The launcher itself.
    inner: Launcher
    #: What times the calls.
    calls: Stopwatch = field(factory=Stopwatch)
    #: What times the beginnings and ends.
    lives: Stopwatch = field(factory=Stopwatch)

    @property
    def describe(self) -> str:
        """The words by which a person named it."""
        return self.inner.describe

    @property
    def can_share(self) -> bool:
        """Whether two instances can be separate processes on one workspace."""
        return self.inner.can_share

    @property
    def in_process(self) -> bool:
        """Whether instances live in the suite's own process."""
        return self.inner.in_process

    def launch(self, workspace: Path) -> TimedConnection:
        """Start an instance."""
        with self.lives:
            connection = self.inner.launch(workspace)
        return TimedConnection(inner=connection, calls=self.calls, lives=self.lives)


@frozen(kw_only=True)
class Measurement:
    """Where the time of one certification went; all times in seconds."""

    #: All of it.
    seconds: float
    #: How many examples were tried.
    examples: int
    #: How many calls were made.
    calls: int
    #: The time spent waiting for answers.
    calling: float
    #: The time spent starting and ending instances.
    living: float

    @property
    def rate(self) -> float:
        """How many examples were tried in a second."""
        return self.examples / self.seconds

    @property
    def own(self) -> float:
        """The share of the time that generation, model and comparison took, 0 to 1."""
        return 1 - (self.calling + self.living) / self.seconds


def measure(launcher: Launcher, profile: Profile, seed: int) -> Measurement:
    """Certify what *launcher* starts, and return where the time went."""
    timed = TimedLauncher(inner=launcher)
    capabilities = smoke(launcher)
    began = perf_counter()
    report = certify(timed, capabilities, Terms(profile=profile, seed=seed))
    return Measurement(
        seconds=perf_counter() - began,
        examples=report.examples,
        calls=timed.calls.times,
        calling=timed.calls.seconds,
        living=timed.lives.seconds,
    )
