"""How the reader called the suite, so that the report can say how to call it again."""

import shlex
from collections.abc import Mapping
from pathlib import Path

from attrs import field, frozen

from dsh_conformance.report.files import script_name


@frozen(kw_only=True)
class Invocation:
    """What was named on the command line."""

    #: The implementation's name, where one was given.
    impl: str | None = None
    #: Its configuration.
    config: Mapping[str, str] = field(factory=dict)
    #: The adapter's command, where one was given.
    command: tuple[str, ...] = ()
    #: The report directory, where one was given.
    directory: Path | None = None

    def replay(self, slug: str) -> str | None:
        """Return the command that replays the failure of *slug*; nothing without a script."""
        if self.directory is None:
            return None
        words = ["dsh-conformance", "replay", str(self.directory / script_name(slug))]
        if self.impl is not None:
            words += ["--impl", self.impl]
        for key, value in self.config.items():
            words += ["--config", f"{key}={value}"]
        if self.command:
            words += ["--", *self.command]
        return shlex.join(words)
