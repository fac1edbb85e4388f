"""The contract of a port written in Python: what answers the pure tracks (core, migration, files).

A port keeps nothing between calls and needs no workspace.
Its factory takes the same arguments as a backend's, so that both are named and served alike.
"""

from collections.abc import Callable, Mapping
from typing import Protocol, TypeAlias, runtime_checkable

from dsh_conformance.implementation.capabilities import Capabilities
from dsh_spec.values import Json, JsonObject

#: Carries out one pure method: parameters to result.  It raises `Refuse` to refuse.
PureMethod: TypeAlias = Callable[[JsonObject], Json]


@runtime_checkable
class Port(Protocol):
    """One implementation of pure methods."""

    @property
    def capabilities(self) -> Capabilities:
        """What it claims: no store track, and the tracks whose methods it has."""

    @property
    def methods(self) -> Mapping[str, PureMethod]:
        """Its methods, ``core/…``, ``migration/…`` and ``files/…``, by name."""
