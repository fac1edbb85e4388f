"""What a run tells while it runs."""

from typing import Protocol


class Progress(Protocol):
    """Who wants to know how far a run has come; it may be told often, and must answer at once."""

    def started(self, total: int, unit: str = "examples") -> None:
        """Begin: *total* pieces of work lie ahead, at most."""

    def example(self, n: int) -> None:
        """Note that *n* pieces of work are done by now."""

    def counted(self, exercised: int, claimed: int) -> None:
        """Note that *exercised* of the *claimed* rules were exercised often enough by now."""

    def note(self, text: str) -> None:
        """Tell one line, such as that a failure was found and is being made smaller."""


class Silent:
    """Nobody wants to know."""

    def started(self, total: int, unit: str = "examples") -> None:
        """Say nothing."""

    def example(self, n: int) -> None:
        """Say nothing."""

    def counted(self, exercised: int, claimed: int) -> None:
        """Say nothing."""

    def note(self, text: str) -> None:
        """Say nothing."""
