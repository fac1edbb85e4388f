"""From the words of a command line to a launcher."""

import difflib
import importlib
import sys
from collections.abc import Mapping, Sequence
from typing import cast

from dsh_conformance.implementation.connection import Launcher
from dsh_conformance.implementation.host import AnyFactory
from dsh_conformance.implementation.stdio import Deadlines, StdioLauncher

#: The implementations that come with the suite, by name: backends, and the reference as a port.
BACKENDS: Mapping[str, str] = {
    "memory": "dsh_conformance.backends.named:memory",
    "jsonl": "dsh_conformance.backends.named:jsonl",
    "sqlite": "dsh_conformance.backends.named:sqlite",
    "reference": "dsh_conformance.implementation.reference:reference",
}

#: The real runtimes, by name: what makes the launcher of each.
REAL: Mapping[str, str] = {
    "dsh": "dsh_conformance.implementation.dsh:launcher",
    "dsh-v3": "dsh_conformance.implementation.dsh:launcher_v3",
    "dsh-v0": "dsh_conformance.implementation.dsh_v0:launcher",
}

_NAMES = (*BACKENDS, *REAL)
_CHOICE = f"{', '.join(_NAMES)}, package.module:factory, or -- COMMAND"


class Misuse(Exception):  # noqa: N818 - wrong use is no error of the suite
    """Nothing answers to what was named; the message says what to do instead."""


def resolve(
    impl: str | None,
    command: Sequence[str],
    config: Mapping[str, str],
    *,
    deadline: float | None = None,
) -> Launcher:
    """Return what starts the implementation that *impl* or *command* names.

    *deadline* is how long any answer may take, in seconds; by default, what `Deadlines` says.
    Python backends are started as processes of their own, so that they can be killed.
    Raises `Misuse` for what no implementation answers to, and `Fault` when the runtime is missing.
    """
    deadlines = Deadlines()
    if deadline is not None:
        deadlines = Deadlines(first=deadline, call=deadline, exit=deadline)
    if impl is not None and command:
        raise Misuse(f"both {impl!a} and a command after --; give one of them")
    if command:
        return _commanded(command, config, deadlines)
    if impl is None:
        raise Misuse(f"no implementation; give {_CHOICE}")
    if impl in REAL:
        return _real(impl, config, deadlines)
    find_factory(impl)
    return _hosted(impl, config, deadlines)


def find_factory(name_or_path: str) -> AnyFactory:
    """Return the factory of a built-in backend or of ``package.module:factory``.

    The current directory is searched too.  Raises `Misuse`.
    """
    path = BACKENDS.get(name_or_path, name_or_path)
    module_name, colon, attribute = path.partition(":")
    if not colon:
        raise Misuse(_unknown(name_or_path))
    if not module_name or not attribute:
        raise Misuse(f"{path!a} is no package.module:factory")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        factory: object = importlib.import_module(module_name)
    except Exception as error:
        raise Misuse(f"cannot import {module_name}: {type(error).__name__}: {error}") from error
    for part in attribute.split("."):
        factory = getattr(factory, part, None)
    if not callable(factory):
        raise Misuse(f"{module_name} has no factory {attribute}")
    return cast("AnyFactory", factory)


def _commanded(command: Sequence[str], config: Mapping[str, str], deadlines: Deadlines) -> Launcher:
    if config:
        raise Misuse(
            "--config does not reach a command; put its options after --, with the command"
        )
    return StdioLauncher(command=tuple(command), describe=" ".join(command), deadlines=deadlines)


def _hosted(impl: str, config: Mapping[str, str], deadlines: Deadlines) -> Launcher:
    options = [part for key, value in config.items() for part in ("--config", f"{key}={value}")]
    return StdioLauncher(
        command=(sys.executable, "-m", "dsh_conformance", "serve", impl, *options),
        describe=impl,
        deadlines=deadlines,
    )


def _real(name: str, config: Mapping[str, str], deadlines: Deadlines) -> Launcher:
    # Not imported before it is named: most who certify have no such runtime.
    module, _, function = REAL[name].partition(":")
    make = getattr(importlib.import_module(module), function)
    launcher: Launcher = make(config, deadlines)
    return launcher


def _unknown(name: str) -> str:
    near = difflib.get_close_matches(name, _NAMES, n=1)
    hint = f"did you mean {near[0]}?" if near else f"give {_CHOICE}"
    return f"no implementation is called {name!a}; {hint}"
