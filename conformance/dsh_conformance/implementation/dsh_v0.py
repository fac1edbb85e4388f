"""The real runtime of format 0, whose store is addressed by id, as an implementation under test.

It has no profiles: it takes the path of its composition, which names the adapter in the throw-away
home.  ``--config`` says which of its two backends is under test:

- ``backend=jsonl``, the default, with ``compression=none|zstd``;
- ``backend=sqlite``.
"""

from collections.abc import Mapping
from types import MappingProxyType

from dsh_conformance.implementation.capabilities import (
    Artifacts,
    Capabilities,
    ImplementationInfo,
    StoreClaims,
)
from dsh_conformance.implementation.dsh_home import (
    DshLauncher,
    copy_adapter,
    launcher_in,
    make_home,
)
from dsh_conformance.implementation.dsh_subject import JSONL, Subject
from dsh_conformance.implementation.names import Misuse
from dsh_conformance.implementation.runtimes import OLDER, executable, version_of
from dsh_conformance.implementation.stdio import Deadlines
from dsh_spec.values import JsonObject

_ERA = OLDER["dsh-v0"]
_SQLITE = "@deepseek-ai/dsh-session-persistence-sqlite"
_NOTHING: JsonObject = MappingProxyType({})
_COMPOSITION = "cordis.yml"
_ARTIFACTS: Mapping[str, Artifacts] = MappingProxyType({"none": "jsonl", "zstd": "jsonl.zstd"})


def launcher(config: Mapping[str, str], deadlines: Deadlines | None = None) -> DshLauncher:
    """Return what starts the runtime; the module docstring says what *config* may hold.

    Raises `Misuse` for a wrong configuration, and `Fault` where there is no runtime.
    """
    runtime = executable(_ERA)
    subject = read_subject(config)
    home = make_home()
    copy_adapter(home, "dsh", "dsh-v0")
    return launcher_in(
        home,
        (str(runtime), str(home / _COMPOSITION)),
        subject,
        describe=_ERA.name,
        deadlines=deadlines,
    )


def read_subject(config: Mapping[str, str]) -> Subject:
    """Read the configuration; raises `Misuse` where it names nothing."""
    for key in config:
        if key not in ("backend", "compression"):
            raise Misuse(
                f"dsh-v0 has no option {key!a}; it has backend=jsonl|sqlite, compression=none|zstd"
            )
    backend = config.get("backend", "jsonl")
    if backend == "jsonl":
        return _jsonl(config.get("compression", "none"))
    if backend != "sqlite":
        raise Misuse(f"backend={backend!a} is neither jsonl nor sqlite")
    if "compression" in config:
        raise Misuse("compression is for the JSONL backend; SQLite keeps no files of sessions")
    return _subject("dsh-sqlite", _SQLITE, {"path": "{workspace}/sessions.db"})


def _jsonl(compression: str) -> Subject:
    if compression not in _ARTIFACTS:
        raise Misuse(f"compression={compression!a} is neither none nor zstd")
    config = {"root": "{workspace}", "compression": compression}
    core: JsonObject = {"core": {"formats": [_ERA.format]}}
    return _subject("dsh", JSONL, config, artifacts=_ARTIFACTS[compression], others=core)


def _subject(
    name: str,
    module: str,
    config: Mapping[str, str],
    *,
    artifacts: Artifacts | None = None,
    others: JsonObject = _NOTHING,
) -> Subject:
    claims = StoreClaims(
        seam="store",
        format=_ERA.format,
        durable=True,
        cross_process_lock=False,
        artifacts=artifacts,
    )
    info = ImplementationInfo(name=name, version=version_of(_ERA), language="JavaScript")
    capabilities = Capabilities(
        implementation=info, store=claims, others=others, hostile_values=True
    )
    return Subject(module=module, config=config, capabilities=capabilities)
