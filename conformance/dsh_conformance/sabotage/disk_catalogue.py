"""The sabotages of older logs and of directories: the rule that each breaks, and what it wraps."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal, TypeAlias

from dsh_conformance.implementation.backend import StoreBackend
from dsh_conformance.sabotage import directories, upgrades
from dsh_conformance.sabotage.wrap import WrappedHandle, WrappedStore

_Changed: TypeAlias = (
    type[WrappedStore] | type[WrappedHandle] | Callable[[StoreBackend, Path], StoreBackend]
)

#: Rule, wrapping, base, and the public field reports that it is a copy of.
Row: TypeAlias = tuple[str, _Changed, Literal["jsonl", "jsonl-zstd"], str]

#: In the order of the rules that they break.
WRONG_ON_DISK: tuple[Row, ...] = (
    ("MIG-READ-NO-PUBLISH", upgrades.PublishesOnRead, "jsonl", "F20"),
    ("MIG-READ-NO-PUBLISH", upgrades.LocksOnRead, "jsonl", ""),
    ("MIG-WRITE-PUBLISH", upgrades.ForgetsToPublish, "jsonl", ""),
    ("MIG-WRITE-PUBLISH", upgrades.LeavesHalfALog, "jsonl", ""),
    ("MIG-WRITE-PUBLISH", upgrades.ReplacesTheOlderLog, "jsonl", "F20"),
    ("MIG-LAYOUT", upgrades.PublishesAFrameForEachEvent, "jsonl-zstd", ""),
    ("MIG-VERIFY", upgrades.PublishesUnverified, "jsonl", ""),
    ("MIG-DRIFT", upgrades.PublishesWhatItRead, "jsonl", ""),
    ("MIG-PUBLISH-ONCE", upgrades.PublishesAgain, "jsonl", ""),
    ("MIG-RETAIN", upgrades.CleansUpOlderLogs, "jsonl", "F20"),
    ("MIG-ERROR-MAP", upgrades.CallsTheUnmigratableCorrupt, "jsonl", "F16"),
    ("MIG-ERROR-MAP", upgrades.CallsDamageUnmigratable, "jsonl", ""),
    ("MIG-FACTS-COLLECT", upgrades.lists_no_children, "jsonl", ""),
    ("MIG-FACTS-COLLECT", upgrades.fails_for_a_child, "jsonl", ""),
    ("MIG-FORK-CHILD", upgrades.NeedsTheParent, "jsonl", ""),
    ("MIG-TORN-TAIL", upgrades.CutsTheOlderLog, "jsonl", ""),
    ("MIG-TORN-TAIL", upgrades.RefusesTornOlderLogs, "jsonl", "F03"),
    ("FILE-FOREIGN-NAMES", directories.TidiesDirectories, "jsonl", "F26"),
    ("FILE-FOREIGN-NAMES", directories.TripsOverForeignFiles, "jsonl", "F26"),
    ("STORE-NEWEST-GENERATION-WINS", directories.FallsBackToAnOlderLog, "jsonl", "F20"),
    ("STORE-NEWEST-GENERATION-WINS", directories.ReadsTheOldestLog, "jsonl", "F20"),
    ("STORE-EXCLUSIVE-PUBLISH", directories.ReplacesWhatIsThere, "jsonl", ""),
    ("FILE-ONE-HOME", directories.TakesTheFirstHome, "jsonl", "F26"),
    ("FILE-ONE-ENCODING", directories.OverlooksTheOtherEncoding, "jsonl", ""),
    ("FILE-FLAT-REFUSED", directories.OverlooksFlatLogs, "jsonl", "F26"),
    ("FILE-LOCK", directories.RemovesTheLock, "jsonl", "F02"),
    ("FILE-LOCK", directories.ReplacesTheLock, "jsonl", "F02"),
    ("FILE-LOCK", directories.BreaksLocks, "jsonl", "F02"),
    ("TORN-BEFORE-APPEND", directories.CutsTornTailsForWriters, "jsonl", ""),
)
