"""The sabotages of the core track."""

from types import ModuleType

from dsh_conformance.sabotage import (
    core_benign,
    core_closing,
    core_forking,
    core_reading,
    core_session,
    core_surface,
)
from dsh_conformance.sabotage.core_taking import TAKING
from dsh_conformance.sabotage.core_wrap import WrongCore


def _of(module: ModuleType) -> tuple[WrongCore, ...]:
    return tuple(each for each in vars(module).values() if isinstance(each, WrongCore))


#: All of them, method by method.
WRONG_CORES: tuple[WrongCore, ...] = (
    *_of(core_surface),
    *_of(core_closing),
    *_of(core_forking),
    *_of(core_session),
    *_of(core_reading),
    *TAKING,
)

#: What is only different.
HARMLESS_CORES: tuple[WrongCore, ...] = _of(core_benign)
