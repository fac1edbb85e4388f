"""``--config`` of the runtime of format 0, and clear words for what cannot be."""

import pytest

from dsh_conformance.implementation.dsh_v0 import read_subject
from dsh_conformance.implementation.names import Misuse


@pytest.mark.parametrize(
    ("config", "name", "artifacts"),
    [
        ({}, "dsh", "jsonl"),
        ({"backend": "jsonl", "compression": "zstd"}, "dsh", "jsonl.zstd"),
        ({"backend": "sqlite"}, "dsh-sqlite", None),
    ],
)
def test_the_backends(config: dict[str, str], name: str, artifacts: str | None) -> None:
    capabilities = read_subject(config).capabilities
    assert capabilities.implementation.name == name
    assert capabilities.implementation.version == "0.1.0rc7"
    assert capabilities.store is not None
    assert (capabilities.store.seam, capabilities.store.format) == ("store", 0)
    assert capabilities.store.artifacts == artifacts
    # The core is that of the one package, whatever the logs are kept in; it is claimed once.
    core = {} if artifacts is None else {"core": {"formats": [0]}}
    assert capabilities.others == core


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"colour": "red"}, "dsh-v0 has no option 'colour'; it has backend=jsonl|sqlite"),
        ({"backend": "redis"}, "'redis' is neither jsonl nor sqlite"),
        ({"compression": "gzip"}, "'gzip' is neither none nor zstd"),
        ({"backend": "sqlite", "compression": "none"}, "SQLite keeps no files of sessions"),
    ],
)
def test_what_names_nothing_is_misuse(config: dict[str, str], words: str) -> None:
    with pytest.raises(Misuse) as caught:
        read_subject(config)
    assert words in str(caught.value)
