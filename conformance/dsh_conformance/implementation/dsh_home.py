"""The throw-away home that a real runtime is started in.

The home holds the adapter and goes when its launcher goes.
The user's home stays clean: the runtime unpacks its native parts (81 MB) into a cache of ours.
"""

import json
import os
import shutil
import tempfile
import weakref
from collections.abc import Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from attrs import frozen

from dsh_conformance.implementation.connection import Connection
from dsh_conformance.implementation.dsh_subject import Subject
from dsh_conformance.implementation.runtimes import cache_directory
from dsh_conformance.implementation.stdio import Deadlines, StdioLauncher
from dsh_conformance.implementation.wire import write_capabilities

_INHERITED = ("PATH", "TMPDIR", "LANG", "LC_ALL")


@frozen(kw_only=True)
class DshLauncher:
    """Starts a runtime with the adapter and one persistence service in it."""

    #: What does the starting.
    stdio: StdioLauncher
    #: The runtime's home, which lives as long as the launcher and its connections.
    home: Path

    @property
    def describe(self) -> str:
        """The words by which a person named it."""
        return self.stdio.describe

    @property
    def can_share(self) -> bool:
        """Two runtimes on one workspace are possible."""
        return True

    @property
    def in_process(self) -> bool:
        """The runtime is another process."""
        return False

    def launch(self, workspace: Path) -> Connection:
        """Start a runtime on *workspace*, initialised; raises `Fault`."""
        connection = self.stdio.launch(workspace)
        # A runtime whose home goes ends its plugins, so the connection keeps the launcher.
        weakref.finalize(connection, lambda _: None, self)
        return connection


def make_home() -> Path:
    """Return a fresh, empty home."""
    return Path(tempfile.mkdtemp(prefix="dsh-conformance-"))


def copy_adapter(target: Path, *names: str) -> None:
    """Copy the files of adapters to *target*, those of a later one over those of an earlier one."""
    target.mkdir(parents=True, exist_ok=True)
    for name in names:
        for file in _adapter(name).iterdir():
            if file.is_file():
                (target / file.name).write_bytes(file.read_bytes())


def launcher_in(
    home: Path,
    command: Sequence[str],
    subject: Subject,
    *,
    describe: str,
    deadlines: Deadlines | None,
) -> DshLauncher:
    """Return what runs *command* in a home that it owns."""
    stdio = StdioLauncher(
        command=tuple(command),
        describe=describe,
        env=_environment(subject, home),
        cwd=home,
        deadlines=deadlines or Deadlines(),
    )
    made = DshLauncher(stdio=stdio, home=home)
    weakref.finalize(made, shutil.rmtree, home, ignore_errors=True)
    return made


def _adapter(name: str) -> Traversable:
    """Find an adapter's files: in the installed package, or beside it in a checkout."""
    package = files("dsh_conformance")
    installed = package / "adapters" / name
    return installed if installed.is_dir() else Path(str(package)).parent / "adapters" / name


def _environment(subject: Subject, home: Path) -> Mapping[str, str]:
    told = {
        "module": subject.module,
        "config": subject.config,
        "capabilities": write_capabilities(subject.capabilities),
    }
    inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    return {
        **inherited,
        "HOME": str(_cache() or home),
        "DSH_HOME": str(home),
        "DSH_CONFORMANCE_SUBJECT": json.dumps(told),
    }


def _cache() -> Path | None:
    """Return the directory where the runtime's native parts stay, where one can be had."""
    cache = cache_directory()
    try:
        cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return cache if cache.is_absolute() and os.access(cache, os.W_OK) else None
