"""The sabotages of the store seam: the rule that each breaks, what it is, and what it wraps."""

from typing import Literal, TypeAlias

from dsh_conformance.sabotage import seam_files as files
from dsh_conformance.sabotage import seam_log as log
from dsh_conformance.sabotage import seam_repair as repair
from dsh_conformance.sabotage import seam_sessions as sessions
from dsh_conformance.sabotage.seam_wrap import WrappedSeamStore

#: The right backend that is wrapped, in format v0.
SeamBase: TypeAlias = Literal["seam-memory", "seam-jsonl", "seam-sqlite"]

#: Rule, wrapping, base, and the public field reports that it is a copy of.
Row: TypeAlias = tuple[str, type[WrappedSeamStore], SeamBase, str]

#: In the order of the rules that they break.
ROWS: tuple[Row, ...] = (
    ("JSON-REFUSE", log.SeamWritesNullForNoJson, "seam-memory", "F25"),
    ("STORE-NOT-FOUND", log.CreatesOnAppend, "seam-memory", ""),
    ("STORE-NOT-FOUND", sessions.LoadsTheAbsentAsEmpty, "seam-memory", "F07"),
    ("STORE-LAZY-CREATE", sessions.ShowsTheReservedAsEmpty, "seam-memory", ""),
    ("STORE-LAZY-CREATE", files.ReservesOnTheDisk, "seam-jsonl", ""),
    ("STORE-NO-CLOBBER", sessions.CreatesTwice, "seam-memory", ""),
    ("STORE-HEADER-KEPT", sessions.LosesTheParent, "seam-memory", ""),
    ("STORE-READ-ARGS", log.SeamSlicesFromTheEnd, "seam-memory", ""),
    ("STORE-APPEND-ONLY", log.SeamHandsOutItsOwnObjects, "seam-memory", ""),
    ("STORE-NO-REWRITE", files.SeamRespellsTheHeader, "seam-jsonl", ""),
    ("STORE-NO-REWRITE", files.StoresOldShapesAnew, "seam-jsonl", ""),
    ("STORE-DENSE-SEQ", log.SeamNumbersFromOne, "seam-memory", ""),
    ("STORE-CONTIGUOUS-APPEND", log.SeamRenumbersBatches, "seam-memory", "F02"),
    ("STORE-EMPTY-APPEND", log.RefusesNothingForTheAbsent, "seam-memory", ""),
    ("STORE-BATCH-ALL-OR-NOTHING-ON-REFUSAL", log.SeamKeepsTheGoodPart, "seam-memory", "F19"),
    ("STORE-LOSSLESS-JSON", log.SeamStripsNul, "seam-memory", "F23"),
    ("STORE-SNAPSHOT-ARGS", log.SeamKeepsTheCallersEvents, "seam-memory", ""),
    ("STORE-DURABLE", files.LosesTheLastBatchInACrash, "seam-jsonl", ""),
    ("STORE-CLOSE-KEEPS", files.LosesTheLastBatchAtTheEnd, "seam-jsonl", ""),
    ("STORE-FRESH", log.SeamReadsOnce, "seam-memory", ""),
    ("STORE-REVISION-STABLE", sessions.CountsAllAppends, "seam-memory", ""),
    ("STORE-REVISION-CHANGES", sessions.SeamNeverRevises, "seam-memory", ""),
    ("STORE-REVISION-CHANGES", sessions.KeepsTheRevisionOverARepair, "seam-memory", ""),
    ("STORE-LIST-COMPLETE", sessions.ListsTheReserved, "seam-memory", ""),
    ("STORE-LIST-COMPLETE", sessions.SeamListsOnePage, "seam-memory", ""),
    ("STORE-FAIL-CLOSED-VOCAB", log.SeamMarksUnknownTypesIgnorable, "seam-memory", "F14"),
    ("STORE-IGNORABLE-KEPT", log.SeamThinsTheLog, "seam-memory", "F15"),
    ("STORE-ARTIFACT-HOLDS-LOG", files.LocatesACopy, "seam-jsonl", "F20"),
    ("STORE-TORN-TAIL", files.SeamRefusesTornTails, "seam-jsonl", "F03"),
    ("STORE-TORN-TAIL", files.GluesToTheTornTail, "seam-jsonl", "F04"),
    ("STORE-COMMITTED-CORRUPTION-LOUD", files.SeamServesThePrefix, "seam-jsonl", "F03"),
    ("STORE-NO-REPAIR-ON-READ", repair.CommitsOnInspect, "seam-memory", ""),
    ("STORE-NO-REPAIR-ON-READ", repair.CommitsOnRead, "seam-sqlite", ""),
    ("STORE-NO-REPAIR-ON-READ", sessions.RevisesOnInspect, "seam-memory", ""),
    ("STORE-VERSION-GATE", files.SeamCallsOtherVersionsCorrupt, "seam-jsonl", "F16"),
    ("STORE-IDENTITY-BOUND", files.SeamServesForeignIds, "seam-jsonl", "F26"),
    ("STORE-ISOLATION", files.SeamHidesAllBehindOne, "seam-jsonl", "F06"),
    ("STORE-WORKSPACE-ISOLATION", sessions.SeamSharesItsMemory, "seam-memory", ""),
    ("STORE-ID-SAFE", sessions.SeamFoldsCase, "seam-memory", "F26"),
    ("STORE-REFUSES-BROKEN-LOG", log.ServesTheUnbuildable, "seam-jsonl", ""),
    ("STORE-REVISION-QUALIFIED", sessions.CountsRevisions, "seam-sqlite", ""),
    ("STORE-CLOSERS-ON-LOAD", repair.LoadsWithoutCommitting, "seam-memory", ""),
    ("STORE-CLOSERS-ON-LOAD", repair.LoadsTheLogUnclosed, "seam-sqlite", ""),
    ("STORE-CLOSERS-ON-LOAD", repair.EndsTheTurnFirst, "seam-memory", ""),
    ("STORE-CLOSERS-ON-LOAD", repair.EndsTheTurnAlone, "seam-memory", "F08"),
    ("STORE-CLOSERS-ON-LOAD", repair.StampsClosersWithNow, "seam-memory", ""),
    ("STORE-CLOSERS-ON-LOAD", repair.SaysAborted, "seam-memory", ""),
    ("STORE-CLOSERS-ON-LOAD", repair.NamesResultsByTheCall, "seam-memory", ""),
    ("STORE-CLOSERS-ON-LOAD", repair.CallsEveryCallStarted, "seam-memory", ""),
    ("STORE-CLOSERS-ON-LOAD", repair.CitesNoCall, "seam-memory", ""),
    ("STORE-CLOSERS-ON-LOAD", repair.ClosesInTheNewestShape, "seam-memory", ""),
    ("STORE-CLOSERS-ONCE", repair.ClosesOnEveryLoad, "seam-memory", ""),
    ("STORE-CLOSERS-ONCE", sessions.RevisesOnEveryLoad, "seam-sqlite", ""),
    ("STORE-INSPECT-VIEW", repair.InspectsTheStoredOnly, "seam-memory", ""),
    ("STORE-READ-STORED", repair.ReadsClosers, "seam-memory", ""),
    ("STORE-READ-STORED", log.ReadsPastTheSeq, "seam-memory", ""),
    ("STORE-TURN-LEFT-OPEN", repair.ClosesUnderAWriter, "seam-memory", "F01"),
    ("STORE-APPEND-ADOPTS", repair.ContinuesTheOpenTurn, "seam-sqlite", ""),
    ("STORE-REPAIR-CUTS-TAIL", files.KeepsTheTornTail, "seam-jsonl", "F04"),
    ("STORE-LISTS-AGREE", sessions.SnapshotsShortHeaders, "seam-memory", ""),
    ("STORE-CREATED-AT-CHECKED", sessions.RoundsTheTimeOfCreation, "seam-memory", ""),
    ("STORE-CREATED-AT-CHECKED", sessions.ReservesOnRefusal, "seam-memory", ""),
    ("STORE-LEGACY-READ", log.ReadsOldShapesAsTheyAre, "seam-memory", ""),
    ("STORE-LEGACY-READ", log.MintsIdsWithoutTheSession, "seam-memory", ""),
    ("STORE-RETIRED-REFUSED", log.TakesRetiredEvents, "seam-memory", ""),
)
