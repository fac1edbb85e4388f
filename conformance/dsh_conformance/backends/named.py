"""The built-in backends by name: which of its two contracts each offers is a matter of its options.

``seam=store`` has it behind the older contract, in format v0; ``format=3`` has it behind the newer
one, in format v3.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias, cast

from dsh_conformance.backends import jsonl as handle_jsonl
from dsh_conformance.backends import memory as handle_memory
from dsh_conformance.backends import sqlite as handle_sqlite
from dsh_conformance.backends.options import FORMATS, options
from dsh_conformance.backends.seam.jsonl import JsonlSeamStorage, OldPacking
from dsh_conformance.backends.seam.memory import MemorySeamStorage
from dsh_conformance.backends.seam.sqlite import SqliteSeamStorage
from dsh_conformance.backends.seam.store import SeamStore
from dsh_conformance.implementation.backend import StoreBackend, StoreSeamBackend
from dsh_reference.files import Compression

_SEAMS = ("handle", "store")
_COMPRESSIONS = ("none", "zstd")

#: A backend of either seam.
Either: TypeAlias = StoreBackend | StoreSeamBackend


def memory(workspace: Path, config: Mapping[str, str]) -> Either:
    """Make a backend that stores nothing outside this process; options ``seam``, ``format``."""
    if config.get("seam") == "store":
        options("memory", config, seam=_SEAMS)
        return seam_memory()
    chosen = options("memory", config, seam=_SEAMS, format=FORMATS)
    return handle_memory.memory(workspace, {"format": chosen["format"]})


def jsonl(workspace: Path, config: Mapping[str, str]) -> Either:
    """Make a backend whose root is *workspace*; options ``seam``, ``format``, ``compression``."""
    if config.get("seam") == "store":
        older = options("jsonl", config, compression=_COMPRESSIONS, seam=_SEAMS)
        return seam_jsonl(workspace, compression=cast("Compression", older["compression"]))
    chosen = options("jsonl", config, compression=_COMPRESSIONS, seam=_SEAMS, format=FORMATS)
    given = {key: chosen[key] for key in ("compression", "format")}
    return handle_jsonl.jsonl(workspace, given)


def sqlite(workspace: Path, config: Mapping[str, str]) -> Either:
    """Make a backend that keeps a database in *workspace*; options ``seam``, ``format``."""
    if config.get("seam") == "store":
        options("sqlite", config, seam=_SEAMS)
        return seam_sqlite(workspace)
    chosen = options("sqlite", config, seam=_SEAMS, format=FORMATS)
    return handle_sqlite.sqlite(workspace, {"format": chosen["format"]})


def seam_memory() -> StoreSeamBackend:
    """Make the store-seam backend that stores nothing outside this process."""
    return SeamStore("dsh-conformance memory", MemorySeamStorage())


def seam_jsonl(workspace: Path, *, compression: Compression) -> StoreSeamBackend:
    """Make the store-seam backend with a file for each session."""
    storage = JsonlSeamStorage(workspace.absolute(), OldPacking(compression))
    return SeamStore("dsh-conformance jsonl", storage)


def seam_sqlite(workspace: Path) -> StoreSeamBackend:
    """Make the store-seam backend with one database."""
    return SeamStore("dsh-conformance sqlite", SqliteSeamStorage(workspace))
