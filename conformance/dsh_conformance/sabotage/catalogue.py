"""Every sabotage by name: the rule that it breaks, what is wrong, and what it is a copy of.

A sabotage is a right implementation in a wrapping that makes it wrong in one way.
Its class, or function, says in one sentence what is wrong; its name here is the one in Python.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from attrs import frozen

from dsh_conformance.backends import named
from dsh_conformance.backends.jsonl import jsonl
from dsh_conformance.backends.memory import memory
from dsh_conformance.backends.sqlite import sqlite
from dsh_conformance.implementation.host import AnyFactory, Served
from dsh_conformance.implementation.reference import reference
from dsh_conformance.sabotage import (
    benign as harmless,
)
from dsh_conformance.sabotage import (
    durability,
    files,
    formats,
    identity,
    log,
    ownership,
    reading,
    sessions,
    snapshots,
    values,
    writing,
)
from dsh_conformance.sabotage.core_catalogue import HARMLESS_CORES, WRONG_CORES
from dsh_conformance.sabotage.core_wrap import WrongCore
from dsh_conformance.sabotage.disk_catalogue import WRONG_ON_DISK
from dsh_conformance.sabotage.fileswrong import HARMLESS_FILES, WRONG_FILES
from dsh_conformance.sabotage.fileswrong_wrap import WrongFiles
from dsh_conformance.sabotage.migration_benign import HARMLESS
from dsh_conformance.sabotage.migration_catalogue import WRONG
from dsh_conformance.sabotage.migration_wrap import Wrong
from dsh_conformance.sabotage.seam_catalogue import ROWS, SeamBase
from dsh_conformance.sabotage.seam_wrap import WrappedSeamStore
from dsh_conformance.sabotage.wrap import WrappedHandle, WrappedStore
from dsh_spec.catalogue import Track

#: The right implementation that is wrapped.
Base: TypeAlias = (
    Literal["memory", "jsonl", "jsonl-zstd", "jsonl-v3", "sqlite", "reference"] | SeamBase
)

#: Wraps a right implementation on a workspace.
Wrapping: TypeAlias = Callable[[Any, Path], Served]

#: The right implementations, each with its configuration.
BACKENDS: Mapping[Base, tuple[AnyFactory, Mapping[str, str]]] = MappingProxyType(
    {
        "memory": (memory, {}),
        "jsonl": (jsonl, {}),
        "jsonl-zstd": (jsonl, {"compression": "zstd"}),
        "jsonl-v3": (jsonl, {"format": "3"}),
        "sqlite": (sqlite, {}),
        "seam-memory": (named.memory, {"seam": "store"}),
        "seam-jsonl": (named.jsonl, {"seam": "store"}),
        "seam-sqlite": (named.sqlite, {"seam": "store"}),
        "reference": (reference, {}),
    }
)


@frozen(kw_only=True)
class Variation:
    """A right implementation that is changed in one way."""

    #: Its name, in words joined by hyphens.
    name: str
    #: What is changed, in one sentence.
    says: str
    #: The track whose suite judges it.
    track: Track = "store"
    #: The right implementation that is wrapped.
    base: Base
    #: Wraps it.
    make: Wrapping

    def factory(self, workspace: Path, _config: Mapping[str, str]) -> Served:
        """Return the changed implementation on *workspace*."""
        backend, config = BACKENDS[self.base]
        return self.make(backend(workspace, config), workspace)


@frozen(kw_only=True)
class Sabotage(Variation):
    """A variation that breaks a rule."""

    #: The rule that it breaks.
    rule: str
    #: The public field reports that it is a copy of; empty where there is none.
    like: str = ""


@frozen(kw_only=True)
class Benign(Variation):
    """A variation that breaks no rule."""


Changed: TypeAlias = type[WrappedStore] | type[WrappedHandle] | type[WrappedSeamStore] | Wrapping


def _named(changed: Changed) -> str:
    """Return the name of what is changed, from its name in Python."""
    words = re.findall(r"[A-Z][a-z]*|[a-z]+", changed.__name__)
    return "-".join(words).lower()


def _said(changed: Changed) -> str:
    return " ".join(str(changed.__doc__).split())


def _wrapping(changed: Changed) -> Wrapping:
    if not isinstance(changed, type) or issubclass(changed, WrappedStore | WrappedSeamStore):
        return changed
    assert issubclass(changed, WrappedHandle)
    return partial(WrappedStore, handle=changed)


def _wrong(rule: str, changed: Changed, base: Base = "memory", like: str = "") -> Sabotage:
    return Sabotage(
        name=_named(changed),
        rule=rule,
        says=_said(changed),
        like=like,
        base=base,
        make=_wrapping(changed),
    )


def _ported(wrong: Wrong | WrongCore | WrongFiles, track: Track) -> Sabotage:
    return Sabotage(
        name=wrong.name,
        rule=wrong.rule,
        says=wrong.says,
        like=wrong.like,
        track=track,
        base="reference",
        make=wrong.make,
    )


def _harmless(changed: Changed, base: Base) -> Benign:
    return Benign(name=_named(changed), says=_said(changed), base=base, make=_wrapping(changed))


#: What is wrong only because the store is of an older format, by the rule that it breaks.
_OLDER: tuple[tuple[str, Changed], ...] = (
    ("STORE-HEADER-CHECKED", formats.AcceptsTheNextHeader),
    ("STORE-HEADER-KEPT", formats.ShowsTheNextHeader),
    ("STORE-ARTIFACT-HOLDS-LOG", formats.writes_the_next_header),
    ("STORE-VERSION-GATE", formats.ReadsTheNextVersion),
    ("STORE-NOT-FOUND", formats.CallsItsOwnLogsOlder),
    ("STORE-NOT-FOUND", formats.JudgesByTheNextRules),
    ("STORE-FAIL-CLOSED-VOCAB", formats.AdmitsTheNextVocabulary),
    ("STORE-REFUSES-BROKEN-LOG", formats.AdmitsTheNextAnswers),
    ("STORE-LOSSLESS-JSON", formats.AnswersInTheNextRole),
    ("STORE-NO-CLOSERS-IN-BACKEND", formats.ClosesForksAsTheNext),
    ("MIG-WRITE-PUBLISH", formats.PublishesTheNewestToo),
    ("MIG-WRITE-PUBLISH", formats.PublishesAsTheNewest),
)

_SABOTAGES: tuple[Sabotage, ...] = (
    _wrong("JSON-REFUSE", values.WritesNullForNoJson, like="F25"),
    _wrong("JSON-REFUSE", values.DropsNoJsonMembers, like="F25"),
    _wrong("STORE-NOT-FOUND", sessions.CreatesOnOpen),
    _wrong("STORE-NOT-FOUND", sessions.CallsTheAbsentCorrupt),
    _wrong("STORE-PENDING-VISIBLE", sessions.HidesThePending),
    _wrong("STORE-PENDING-VISIBLE", sessions.RefusesToReadThePending, "jsonl"),
    _wrong("STORE-LAZY-CREATE", sessions.WritesTheHeaderEagerly, "jsonl"),
    _wrong("STORE-LAZY-CREATE", sessions.KeepsTheIdOfTheErased),
    _wrong("STORE-ATOMIC-MATERIALISE", durability.WritesTheHeaderFirst, "jsonl"),
    _wrong("STORE-NO-CLOBBER", sessions.OpensOnCreate),
    _wrong("STORE-NO-CLOBBER", writing.ReplacesOnCreate, "jsonl"),
    _wrong("STORE-HEADER-KEPT", sessions.DropsTheAgentPreset),
    _wrong("STORE-HEADER-KEPT", sessions.NormalisesTheDirectory, "sqlite"),
    _wrong("STORE-HEADER-KEPT", sessions.KeepsTimesInSeconds),
    _wrong("STORE-HEADER-CHECKED", sessions.CorrectsHeaders),
    _wrong("STORE-HEADER-CHECKED", sessions.IgnoresUnknownHeaderKeys),
    _wrong("STORE-HEADER-CHECKED", sessions.UpgradesHeaders),
    _wrong("STORE-SEEDED-CREATE", sessions.GuessesTheSeedCount),
    _wrong("STORE-SEEDED-CREATE", sessions.IgnoresTheSeedCount),
    _wrong("STORE-CUT-KEPT", sessions.CountsTheMarker),
    _wrong("STORE-CUT-KEPT", sessions.ForgetsTheCut, "sqlite"),
    _wrong("STORE-SEEDED-FLUSH", sessions.BricksASeededFlush),
    _wrong("STORE-READ-RANGE", reading.ReadsOneTooMany),
    _wrong("STORE-READ-RANGE", reading.IgnoresTheLength),
    _wrong("STORE-READ-RANGE", reading.RefusesToReadPastTheEnd),
    _wrong("STORE-READ-ARGS", reading.SlicesFromTheEnd),
    _wrong("STORE-READ-ARGS", reading.TruncatesFractions),
    _wrong("STORE-APPEND-ONLY", reading.HandsOutItsOwnObjects),
    _wrong("STORE-APPEND-ONLY", reading.EmptiesFinishedStreams),
    _wrong("STORE-APPEND-ONLY", snapshots.StampsTheLastEvent),
    _wrong("STORE-NO-REWRITE", writing.RespellsTheHeader, "jsonl"),
    _wrong("STORE-NO-REWRITE", writing.PacksFramesOnClose, "jsonl-zstd"),
    _wrong("STORE-DENSE-SEQ", reading.CountsOffsetsFromOne),
    _wrong("STORE-DENSE-SEQ", reading.NumbersFromTheOffset),
    _wrong("STORE-DENSE-SEQ", reading.NumbersFromOne),
    _wrong("STORE-DENSE-SEQ", reading.ReadsNewestFirst),
    _wrong("STORE-CONTIGUOUS-APPEND", log.RenumbersBatches, like="F02"),
    _wrong("STORE-CONTIGUOUS-APPEND", log.ToleratesGaps, like="F03"),
    _wrong("STORE-CONTIGUOUS-APPEND", log.AcknowledgesARepeat, like="F28"),
    _wrong("STORE-CONTIGUOUS-APPEND", log.StoresTheNewHalf, like="F28"),
    _wrong("STORE-CONTIGUOUS-APPEND", log.StoresARepeatTwice, like="F28"),
    _wrong("STORE-CONTIGUOUS-APPEND", log.MisnamesASeqMismatch),
    _wrong("STORE-EMPTY-APPEND", log.StoresForNothing, "jsonl"),
    _wrong("STORE-EMPTY-APPEND", log.RefusesAnEmptyBatch),
    _wrong("STORE-EMPTY-APPEND", log.CountsEmptyBatches),
    _wrong("STORE-BATCH-ALL-OR-NOTHING-ON-REFUSAL", log.KeepsTheGoodPart),
    _wrong("STORE-BATCH-ALL-OR-NOTHING-ON-REFUSAL", log.WedgesAfterARefusal, like="F19"),
    _wrong("STORE-LOSSLESS-JSON", values.StripsNul, like="F23"),
    _wrong("STORE-LOSSLESS-JSON", values.CutsAtNul, like="F23"),
    _wrong("STORE-LOSSLESS-JSON", values.ReplacesSurrogates, "jsonl", like="F23"),
    _wrong("STORE-LOSSLESS-JSON", values.ComposesStrings),
    _wrong("STORE-LOSSLESS-JSON", values.BreaksLinesAtSeparators, like="F24"),
    _wrong("STORE-LOSSLESS-JSON", values.LosesProtoKeys),
    _wrong("STORE-LOSSLESS-JSON", values.LosesEmptyKeys),
    _wrong("STORE-LOSSLESS-JSON", values.LosesNulls, like="F25"),
    _wrong("STORE-LOSSLESS-JSON", values.StoresTrueAsOne, "sqlite"),
    _wrong("STORE-LOSSLESS-JSON", values.RoundsFloats, "sqlite"),
    _wrong("STORE-SNAPSHOT-ARGS", reading.KeepsTheCallersEvents),
    _wrong("STORE-SNAPSHOT-ARGS", reading.KeepsTheCallersHeader),
    _wrong("STORE-FLUSH-MATERIALISES", sessions.IgnoresTheFlushOfNothing, "jsonl"),
    _wrong("STORE-FLUSH-SERVICE", durability.IgnoresTheServiceFlush),
    _wrong("STORE-FLUSH-SERVICE", durability.FlushesOneHandle),
    _wrong("STORE-FLUSH-SERVICE", durability.IgnoresTheServiceFlushOfEvents, "jsonl"),
    _wrong("STORE-FLUSH-SERVICE", durability.RefusesToFlushForReaders),
    _wrong("STORE-DURABLE", durability.SwallowsFlushes, "jsonl"),
    _wrong("STORE-DURABLE", durability.FlushesAllButTheLast, "jsonl"),
    _wrong("STORE-DURABLE", durability.ReordersBatches, "jsonl"),
    _wrong("STORE-CLOSE-KEEPS", durability.DropsTheUnflushed, "jsonl"),
    _wrong("STORE-SINGLE-WRITER", ownership.AdmitsASecondWriter, like="F01"),
    _wrong("STORE-SINGLE-WRITER", ownership.AdmitsASecondCreator),
    _wrong("STORE-CROSS-PROCESS-WRITER", ownership.RemovesTheLockFile, "jsonl", "F02"),
    _wrong("STORE-LOCK-FREED-BY-DEATH", ownership.LocksByExistence, "jsonl"),
    _wrong("STORE-STALE-WRITER-REFUSED", ownership.AcknowledgesTheLoser, "sqlite"),
    _wrong("STORE-STALE-WRITER-REFUSED", ownership.OverwritesTheWinner, "jsonl", "F02"),
    _wrong("STORE-STALE-WRITER-REFUSED", ownership.WritesBehindTheWinner, "jsonl", "F01, F02"),
    _wrong("STORE-SECOND-READER", ownership.LocksReadersOut, "sqlite"),
    _wrong("STORE-FRESH", reading.ReadsOnce),
    _wrong("STORE-FRESH", snapshots.CountsAtFlush),
    _wrong("STORE-MONOTONIC-READ", reading.GoesBack),
    _wrong("STORE-REVISION-STABLE", snapshots.RevisesOnStat),
    _wrong("STORE-REVISION-STABLE", snapshots.RevisesOnOpen),
    _wrong("STORE-REVISION-STABLE", files.TouchesOnOpen, "jsonl"),
    _wrong("STORE-REVISION-CHANGES", snapshots.NeverRevises),
    _wrong("STORE-REVISION-CHANGES", snapshots.RevisesEverySecondEvent),
    _wrong("STORE-STAT-LIST-AGREE", snapshots.ListsOtherRevisions),
    _wrong("STORE-STAT-LIST-AGREE", snapshots.ListsShortHeaders),
    _wrong("STORE-LIST-COMPLETE", snapshots.ListsOnePage),
    _wrong("STORE-LIST-COMPLETE", snapshots.ListsTwice),
    _wrong("STORE-LIST-COMPLETE", snapshots.ListsTheErased),
    _wrong("STORE-LIST-COMPLETE", sessions.ListsTheStoredOnly),
    _wrong("STORE-READONLY", ownership.DropsAppendsOfReaders),
    _wrong("STORE-READONLY", ownership.AppendsForReaders, like="F02"),
    _wrong("STORE-READONLY", ownership.FlushesForReaders),
    _wrong("STORE-READONLY", ownership.TakesNothingFromReaders),
    _wrong("STORE-CLOSED", ownership.ReadsAfterClose),
    _wrong("STORE-CLOSED", ownership.TakesNothingAfterClose),
    _wrong("STORE-CLOSED", ownership.FlushesAfterClose),
    _wrong("STORE-CLOSED", ownership.DrainsAfterClose, "sqlite", "F01"),
    _wrong("STORE-CLOSE-IDEMPOTENT", ownership.ClosesOnce),
    _wrong("STORE-CLOSE-IDEMPOTENT", ownership.ClosesTheNextWriter),
    _wrong("STORE-CLOSE-RELEASES", ownership.KeepsTheClaim),
    _wrong("STORE-ERROR-CLAIM-RELEASE", ownership.KeepsTheClaimOfAFailure, "jsonl"),
    _wrong("STORE-NO-CLOSERS-IN-BACKEND", log.ClosesTurnsOnOpen, like="F01"),
    _wrong("STORE-NO-CLOSERS-IN-BACKEND", log.ClosesTurnsOnRead, like="F01"),
    _wrong("STORE-NO-CLOSERS-IN-BACKEND", log.ClosesTurnsOnClose),
    _wrong("STORE-NO-CLOSERS-IN-BACKEND", writing.ClosesTurnsUnderAWriter, "jsonl", "F01"),
    _wrong("STORE-FAIL-CLOSED-VOCAB", log.MarksUnknownTypesIgnorable, like="F14"),
    _wrong("STORE-FAIL-CLOSED-VOCAB", log.CallsUnknownTypesCorrupt, like="F14"),
    _wrong("STORE-FAIL-CLOSED-VOCAB", files.SkipsUnknownTypes, "jsonl", "F14"),
    _wrong("STORE-IGNORABLE-KEPT", reading.ThinsTheLog, "jsonl", "F15"),
    _wrong("STORE-IGNORABLE-KEPT", reading.LosesTheIgnorableMark, "jsonl", "F14, F15"),
    _wrong("STORE-ARTIFACT-HOLDS-LOG", writing.LocatesAnOldCopy, "jsonl", "F20"),
    _wrong("STORE-TORN-TAIL", writing.GluesToTheFragment, "jsonl", "F04"),
    _wrong("STORE-TORN-TAIL", files.CompletesTheLastRecord, "jsonl", "F04"),
    _wrong("STORE-TORN-TAIL", files.RefusesTornTails, "jsonl", "F03"),
    _wrong("STORE-TORN-TAIL", files.RefusesTornFrames, "jsonl-zstd", "F05"),
    _wrong("STORE-COMMITTED-CORRUPTION-LOUD", files.ServesThePrefix, "jsonl", "F03"),
    _wrong("STORE-COMMITTED-CORRUPTION-LOUD", files.ServesTheFramesBefore, "jsonl-zstd", "F05"),
    _wrong("STORE-COMMITTED-CORRUPTION-LOUD", files.KeepsTheLastCopy, "jsonl", "F01, F02"),
    _wrong("STORE-NO-REPAIR-ON-READ", files.CutsTornTailsOnOpen, "jsonl"),
    _wrong("STORE-NO-REPAIR-ON-READ", files.MovesTheDamagedAway, "jsonl"),
    _wrong("STORE-VERSION-GATE", files.ReadsNewerVersions, "jsonl", "F16"),
    _wrong("STORE-VERSION-GATE", files.CallsOtherVersionsCorrupt, "jsonl", "F16"),
    _wrong("STORE-VERSION-GATE", writing.UpgradesFilesOnOpen, "jsonl", "F20"),
    _wrong("STORE-IDENTITY-BOUND", files.ServesForeignIds, "jsonl", "F26"),
    _wrong("STORE-ISOLATION", files.HidesAllBehindOne, "jsonl", "F06"),
    _wrong("STORE-WORKSPACE-ISOLATION", identity.SharesItsMemory),
    _wrong("STORE-ID-SAFE", identity.FoldsCase, like="F26"),
    _wrong("STORE-ID-SAFE", identity.ComposesIds, like="F26"),
    _wrong("STORE-ID-SAFE", identity.ReplacesSlashes, like="F26"),
    _wrong("STORE-ID-SAFE", identity.TrimsIds, like="F26"),
    _wrong("STORE-ID-SAFE", identity.EscapesTheWorkspace, "jsonl", "F26"),
    _wrong("STORE-REFUSES-BROKEN-LOG", files.JudgesRowsOnly, "jsonl", "F01, F08"),
    *(_wrong(rule, changed, base, like) for rule, changed, base, like in WRONG_ON_DISK),
    *(_wrong(rule, changed, base, like) for rule, changed, base, like in ROWS),
    *(_wrong(rule, changed, "jsonl-v3") for rule, changed in _OLDER),
    *(_ported(each, "migration") for each in WRONG),
    *(_ported(each, "core") for each in WRONG_CORES),
    *(_ported(each, "files") for each in WRONG_FILES),
)

_BENIGN: tuple[Benign, ...] = (
    _harmless(harmless.TurnsKeysRound, "memory"),
    _harmless(harmless.spaces_its_rows, "jsonl"),
    _harmless(harmless.ShowsMore, "memory"),
    _harmless(harmless.TakesItsTime, "memory"),
    _harmless(harmless.ListsBackwards, "sqlite"),
    _harmless(harmless.HashesRevisions, "jsonl"),
    _harmless(harmless.RefusesPoison, "memory"),
    *(
        Benign(name=each.name, says=each.says, track="migration", base="reference", make=each.make)
        for each in HARMLESS
    ),
    *(
        Benign(name=each.name, says=each.says, track="core", base="reference", make=each.make)
        for each in HARMLESS_CORES
    ),
    *(
        Benign(name=each.name, says=each.says, track="files", base="reference", make=each.make)
        for each in HARMLESS_FILES
    ),
)


def sabotages(*tracks: str) -> tuple[Sabotage, ...]:
    """Return the sabotages of these tracks, or of all, in the order of what they break."""
    return tuple(each for each in _SABOTAGES if not tracks or each.track in tracks)


def benign(*tracks: str) -> tuple[Benign, ...]:
    """Return the variations of these tracks, or of all, that must pass."""
    return tuple(each for each in _BENIGN if not tracks or each.track in tracks)


def names() -> tuple[str, ...]:
    """Return the names of all sabotages."""
    return tuple(each.name for each in sabotages())


def breaking(slug: str) -> tuple[str, ...]:
    """Return the names of the sabotages that break a rule."""
    return tuple(each.name for each in sabotages() if each.rule == slug)
