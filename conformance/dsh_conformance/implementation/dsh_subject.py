"""What of the real runtime is under test, read from ``--config``.

It is the runtime's own JSONL backend, or a third-party plugin that offers the same service:

- ``compression=none|zstd`` sets up the JSONL backend;
- ``plugin=PACKAGE`` names a plugin, by the path of its package directory or by the name that it has
  in a ``node_modules`` here or above;
- ``plugin.KEY=VALUE`` is the plugin's configuration: JSON where it parses as JSON, else text.
  ``{workspace}`` in a text stands for the workspace directory; ``root`` is that by default;
- ``durable=false`` and ``crossProcessLock=false`` withdraw claims that a plugin does not make.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from attrs import frozen

from dsh_conformance.implementation.capabilities import (
    Artifacts,
    Capabilities,
    ImplementationInfo,
    StoreClaims,
)
from dsh_conformance.implementation.names import Misuse
from dsh_conformance.implementation.runtimes import CURRENT, Era
from dsh_spec.values import Json, JsonObject

#: The package of the runtime's own backend.
JSONL = "@deepseek-ai/dsh-session-persistence-jsonl"

_OPTIONS = (
    "compression=none|zstd, plugin=PACKAGE, plugin.KEY=VALUE, durable=true|false, "
    "crossProcessLock=true|false"
)
_PLUGIN_CLAIMS = ("durable", "crossProcessLock")
_NONE: JsonObject = MappingProxyType({})


@frozen(kw_only=True)
class Subject:
    """One persistence service: what to mount, how, and what it claims."""

    #: The package that the runtime imports.
    module: str
    #: The configuration that it is mounted with.
    config: Mapping[str, Json]
    #: Where the package lies; nothing: inside the runtime.
    package: Path | None = None
    #: Who answers, and what it claims.
    capabilities: Capabilities


def read_subject(config: Mapping[str, str], runtime_version: str, era: Era = CURRENT) -> Subject:
    """Read the configuration; raises `Misuse` where it names nothing."""
    for key in config:
        known = key in ("compression", "plugin", *_PLUGIN_CLAIMS) or key.startswith("plugin.")
        if not known:
            raise Misuse(f"{era.name} has no option {key!a}; it has {_OPTIONS}")
    if "plugin" in config:
        return _plugin(config, era)
    stray = next((key for key in config if key != "compression"), None)
    if stray is not None:
        raise Misuse(f"the option {stray!a} is for a plugin; name one with --config plugin=PACKAGE")
    return _jsonl(config.get("compression", "none"), runtime_version, era)


def _jsonl(compression: str, version: str, era: Era) -> Subject:
    if compression not in ("none", "zstd"):
        raise Misuse(f"compression={compression!a} is neither none nor zstd")
    older = tuple(range(era.format))
    claims = _claims(
        era,
        artifacts="jsonl" if compression == "none" else "jsonl.zstd",
        migrates_from=older,
    )
    others: JsonObject = {
        "core": {"formats": [era.format]},
        "migration": {"from": list(older), "to": era.format},
        "files": {"formats": [era.format], "compression": ["none", "zstd"]},
    }
    return Subject(
        module=JSONL,
        config={"root": "{workspace}", "compression": compression},
        capabilities=_capabilities("dsh", version, claims, others),
    )


def _plugin(config: Mapping[str, str], era: Era) -> Subject:
    if "compression" in config:
        raise Misuse(
            "compression is for the runtime's own backend; a plugin takes plugin.KEY=VALUE"
        )
    package = _find_package(config["plugin"])
    name, version = _manifest(package)
    prefix = "plugin."
    values = {
        key.removeprefix(prefix): _value(text)
        for key, text in config.items()
        if key.startswith(prefix)
    }
    claims = _claims(
        era,
        durable=_truth(config, "durable"),
        cross_process_lock=_truth(config, "crossProcessLock"),
    )
    return Subject(
        module=name,
        config={"root": "{workspace}", **values},
        package=package,
        capabilities=_capabilities(name, version, claims),
    )


def _claims(
    era: Era,
    *,
    durable: bool = True,
    cross_process_lock: bool = True,
    artifacts: Artifacts | None = None,
    migrates_from: tuple[int, ...] = (),
) -> StoreClaims:
    return StoreClaims(
        seam="handle",
        format=era.format,
        durable=durable,
        cross_process_lock=cross_process_lock,
        artifacts=artifacts,
        migrates_from=migrates_from,
    )


def _capabilities(
    name: str, version: str, claims: StoreClaims, others: JsonObject = _NONE
) -> Capabilities:
    return Capabilities(
        implementation=ImplementationInfo(name=name, version=version, language="JavaScript"),
        store=claims,
        others=others,
        hostile_values=True,
    )


def _find_package(plugin: str) -> Path:
    here = Path.cwd()
    candidates = [here / plugin, *(up / "node_modules" / plugin for up in (here, *here.parents))]
    for candidate in candidates:
        if (candidate / "package.json").is_file():
            return candidate.resolve()
    raise Misuse(
        f"no plugin package {plugin!a}: neither a directory with a package.json "
        "nor a package in a node_modules here or above"
    )


def _manifest(package: Path) -> tuple[str, str]:
    path = package / "package.json"
    try:
        manifest = json.loads(path.read_text("utf-8"))
        name, version = manifest["name"], manifest.get("version", "0.0.0")
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise Misuse(f"cannot read the plugin's name in {path}: {error!r}") from None
    if not all(isinstance(part, str) and part for part in (name, version)):
        raise Misuse(f"the plugin's name and version in {path} are not texts")
    if any(part in ("", ".", "..") for part in name.split("/")) or name.startswith("/"):
        raise Misuse(f"the plugin's name {name!a} in {path} is no package name")
    return name, version


def _value(text: str) -> Json:
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value


def _truth(config: Mapping[str, str], key: str) -> bool:
    text = config.get(key, "true")
    if text not in ("true", "false"):
        raise Misuse(f"{key}={text!a} is neither true nor false")
    return text == "true"
