"""The built-in backends by name: which of its two contracts each offers is a matter of its options.

``seam=store`` has it behind the older contract, in format v0.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias, cast

from dsh_conformance.backends import jsonl as handle_jsonl
from dsh_conformance.backends import memory as handle_memory
from dsh_conformance.backends import sqlite as handle_sqlite
from dsh_conformance.backends.options import options
from dsh_conformance.backends.seam.jsonl import JsonlSeamStorage, OldPacking
from dsh_conformance.backends.seam.memory import MemorySeamStorage
from dsh_conformance.backends.seam.sqlite import SqliteSeamStorage
from dsh_conformance.backends.seam.store import SeamStore
from dsh_conformance.implementation.backend import StoreBackend, StoreSeamBackend
from dsh_reference.files import Compression

_SEAMS = ("handle", "store")

#: A backend of either seam.
Either: TypeAlias = StoreBackend | StoreSeamBackend


def memory(workspace: Path, config: Mapping[str, str]) -> Either:
    """Make a backend that stores nothing outside this process; option ``seam=handle|store``."""
    chosen = options("memory", config, seam=_SEAMS)
    return seam_memory() if chosen["seam"] == "store" else handle_memory.memory(workspace, {})


def jsonl(workspace: Path, config: Mapping[str, str]) -> Either:
    """Make a backend whose root is *workspace*; options ``seam``, ``compression=none|zstd``."""
    chosen = options("jsonl", config, compression=("none", "zstd"), seam=_SEAMS)
    if chosen["seam"] == "store":
        return seam_jsonl(workspace, compression=cast("Compression", chosen["compression"]))
    return handle_jsonl.jsonl(workspace, {"compression": chosen["compression"]})


def sqlite(workspace: Path, config: Mapping[str, str]) -> Either:
    """Make a backend that keeps a database in *workspace*; option ``seam=handle|store``."""
    chosen = options("sqlite", config, seam=_SEAMS)
    if chosen["seam"] == "store":
        return seam_sqlite(workspace)
    return handle_sqlite.sqlite(workspace, {})


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
