"""Whether a store's files lie as documented is seen, not claimed."""

from pathlib import Path

import pytest

from dsh_conformance.backends.jsonl import jsonl
from dsh_conformance.backends.memory import memory
from dsh_conformance.implementation.backend import Factory, StoreBackend
from dsh_conformance.implementation.inprocess import InProcessLauncher
from dsh_conformance.implementation.places import with_layout
from dsh_conformance.sabotage.wrap import WrappedStore


class Elsewhere(WrappedStore):
    """Locates a copy."""

    def locate(self, session_id: str) -> str | None:
        path = super().locate(session_id)
        return f"{path}.copy" if path else None


def elsewhere(workspace: Path, _config: object) -> StoreBackend:
    return Elsewhere(jsonl(workspace, {}), workspace)


@pytest.mark.parametrize(("factory", "seen"), [(jsonl, True), (memory, False), (elsewhere, False)])
def test_only_the_documented_place_counts(factory: Factory, *, seen: bool, tmp_path: Path) -> None:
    connection = InProcessLauncher(factory=factory).launch(tmp_path)
    claims = with_layout(connection, tmp_path).store
    connection.close()
    assert claims is not None
    assert claims.layout is seen
