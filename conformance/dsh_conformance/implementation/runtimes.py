"""The real runtimes of several eras, and where they lie.

Each era wrote another format, and its runtime still shows what that format's rules were.
The runtimes come as wheels of one distribution, which all bring the same module: only one can be
installed in an environment.
So the current one is found there, and each older one in a directory of its own,
``DIRECTORY/VERSION``, as ``pip install --target`` makes it.
"""

import importlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType, ModuleType

from attrs import frozen

from dsh_conformance.implementation.outcome import Diagnosis, Fault
from dsh_spec.catalogue import Format

#: The distribution that brings a runtime.
DISTRIBUTION = "deepseek-harness-runtime-bin"

#: The environment variable that names the directory of the older runtimes.
VARIABLE = "DSH_CONFORMANCE_RUNTIMES"

_MODULE = "deepseek_harness_runtime"


@frozen(kw_only=True)
class Era:
    """One runtime: the last that wrote its format."""

    #: What it is called on the command line.
    name: str
    #: The version of the distribution; nothing: whatever is installed.
    version: str | None
    #: The format that it writes.
    format: Format


#: The runtime that the environment has.
CURRENT = Era(name="dsh", version=None, format=4)

#: The runtimes in directories of their own, by name.
OLDER: Mapping[str, Era] = MappingProxyType(
    {
        era.name: era
        for era in (
            Era(name="dsh-v3", version="0.1.5rc1", format=3),
            Era(name="dsh-v0", version="0.1.0rc7", format=0),
        )
    }
)


def executable(era: Era) -> Path:
    """Return the runtime's executable; raises `Fault` where there is none."""
    module = _installed() if era.version is None else _kept(era)
    try:
        return Path(module.bundled_runtime_path())
    except (OSError, RuntimeError, ValueError) as error:
        what = f"the installed {DISTRIBUTION} has no runtime for this machine: {error}"
        raise _absent(" ".join(what.split())) from None


def version_of(era: Era) -> str:
    """Return the runtime's version; the current one has to be installed."""
    return version(DISTRIBUTION) if era.version is None else era.version


def place(era: Era, directory: Path | None = None) -> Path:
    """Return where an older runtime is looked for."""
    return (directory or runtimes_directory()) / version_of(era)


def runtimes_directory() -> Path:
    """Return the directory of the older runtimes: the variable's, or one in the user's cache."""
    named = os.environ.get(VARIABLE)
    return Path(named).absolute() if named else cache_directory() / "runtimes"


def cache_directory() -> Path:
    """Return this program's directory in the user's cache, which may not exist."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 - Path.expanduser raises where there is no home
    return Path(base, "dsh-session-conformance")


def install(era: Era, directory: Path | None = None) -> bool:
    """Install an older runtime with pip unless it is there; tell whether it was not.

    What is half installed is never seen: it grows beside its place and moves there whole.
    Raises `Fault` when pip fails.
    """
    target = place(era, directory)
    if target.is_dir():
        return False
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        growing = Path(tempfile.mkdtemp(prefix=".installing-", dir=target.parent))
    except OSError as error:
        raise _absent(f"cannot install to {target.parent}: {error.strerror}") from None
    try:
        _pip(era, growing)
        growing.rename(target)
    except OSError:
        if not target.is_dir():  # Else somebody else was faster.
            raise
    finally:
        shutil.rmtree(growing, ignore_errors=True)
    return True


def _pip(era: Era, target: Path) -> None:
    requirement = f"{DISTRIBUTION}=={version_of(era)}"
    words = ("install", "--quiet", "--no-deps", "--target", str(target), requirement)
    done = subprocess.run(  # noqa: S603 - the words are ours, but for the directory
        (sys.executable, "-m", "pip", "--disable-pip-version-check", *words),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        what = f"pip could not install {requirement}; see what it says"
        raise Fault(Diagnosis(blame="environment", what=what, stderr_tail=done.stderr[-2000:]))


def _installed() -> ModuleType:
    try:
        return importlib.import_module(_MODULE)
    except ImportError:
        what = "the real runtime is not installed: pip install 'dsh-session-conformance[real]'"
        raise _absent(what) from None


def _kept(era: Era) -> ModuleType:
    """Import the module of an older runtime under a name of its own."""
    path = place(era) / _MODULE / "__init__.py"
    spec = importlib.util.spec_from_file_location(f"{_MODULE}_{era.format}", path)
    if not path.is_file() or spec is None or spec.loader is None:
        what = (
            f"the runtime {era.name} ({era.version}) is not in {path.parent.parent}: "
            f"run dsh-conformance runtimes install, or set {VARIABLE} to where it is"
        )
        raise _absent(what)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _absent(what: str) -> Fault:
    return Fault(Diagnosis(blame="environment", what=what))
