"""The real dsh runtime as an implementation under test.

The runtime is one executable that takes plugins only from a *profile* below its home directory.
So a launcher makes a throw-away home, copies the adapter into a profile there, links a third-party
plugin beside it, and starts the executable on that profile; the home goes when the launcher goes.
The user's home stays clean: the runtime unpacks its native parts (81 MB) into a cache of ours.
"""

import importlib
import json
import os
import shutil
import tempfile
import weakref
from collections.abc import Mapping
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from attrs import frozen

from dsh_conformance.implementation.connection import Connection
from dsh_conformance.implementation.dsh_subject import Subject, read_subject
from dsh_conformance.implementation.outcome import Diagnosis, Fault
from dsh_conformance.implementation.stdio import Deadlines, StdioLauncher
from dsh_conformance.implementation.wire import write_capabilities

#: The distribution that brings the runtime.
DISTRIBUTION = "deepseek-harness-runtime-bin"

_PROFILE = "session-conformance"
_INHERITED = ("PATH", "TMPDIR", "LANG", "LC_ALL")


@frozen(kw_only=True)
class DshLauncher:
    """Starts the runtime with the adapter and one persistence service in it."""

    #: What does the starting.
    stdio: StdioLauncher
    #: The runtime's home, which lives as long as the launcher.
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
        return self.stdio.launch(workspace)


def launcher(config: Mapping[str, str], deadlines: Deadlines | None = None) -> DshLauncher:
    """Return what starts the runtime; `dsh_subject` says what *config* may hold.

    Raises `Misuse` for a wrong configuration, and `Fault` where there is no runtime.
    """
    executable = _runtime()
    subject = read_subject(config, version(DISTRIBUTION))
    home = _make_home(subject)
    stdio = StdioLauncher(
        command=(str(executable), "--profile", _PROFILE),
        describe="dsh" if subject.package is None else f"dsh with {subject.module}",
        env=_environment(subject, home),
        cwd=home,
        deadlines=deadlines or Deadlines(),
    )
    made = DshLauncher(stdio=stdio, home=home)
    weakref.finalize(made, shutil.rmtree, home, ignore_errors=True)
    return made


def _runtime() -> Path:
    try:
        module = importlib.import_module("deepseek_harness_runtime")
    except ImportError:
        what = "the real runtime is not installed: pip install 'dsh-session-conformance[real]'"
        raise _absent(what) from None
    try:
        return Path(module.bundled_runtime_path())
    except (OSError, RuntimeError, ValueError) as error:
        what = f"the installed {DISTRIBUTION} has no runtime for this machine: {error}"
        raise _absent(" ".join(what.split())) from None


def _absent(what: str) -> Fault:
    return Fault(Diagnosis(blame="environment", what=what))


def _make_home(subject: Subject) -> Path:
    home = Path(tempfile.mkdtemp(prefix="dsh-conformance-"))
    profile = home / "profiles" / _PROFILE
    profile.mkdir(parents=True)
    for file in _adapter().iterdir():
        if file.is_file():
            (profile / file.name).write_bytes(file.read_bytes())
    if subject.package is not None:
        link = profile / "node_modules" / subject.module
        link.parent.mkdir(parents=True)
        link.symlink_to(subject.package, target_is_directory=True)
    return home


def _adapter() -> Traversable:
    """Find the adapter's files: in the installed package, or beside it in a checkout."""
    package = files("dsh_conformance")
    installed = package / "adapters" / "dsh"
    return installed if installed.is_dir() else Path(str(package)).parent / "adapters" / "dsh"


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
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 - Path.expanduser raises where there is no home
    cache = Path(base, "dsh-session-conformance")
    try:
        cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return cache if cache.is_absolute() and os.access(cache, os.W_OK) else None
