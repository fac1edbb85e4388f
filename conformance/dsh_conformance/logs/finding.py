"""What is said about a log: findings, and what they come to."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Literal, TypeAlias

from attrs import frozen

from dsh_reference.files import Compression
from dsh_reference.refusal import Refusal
from dsh_spec.values import Json, JsonObject

#: ``error``: no reader may open the log.  ``warning``: readers leave something of it out.
#: ``note``: a reader does something with it before it goes on.
Severity: TypeAlias = Literal["error", "warning", "note"]


@frozen(kw_only=True)
class Finding:
    """One thing that a log says against itself."""

    #: The slug of the rule that says so.
    rule: str
    #: How much it matters.
    severity: Severity
    #: The line of the text, counted from 1; nothing where it is not about one line.
    line: int | None = None
    #: The seq of the event; nothing where it is not about one event.
    seq: int | None = None
    #: What is wrong, in one sentence.
    problem: str
    #: What would mend it, in one sentence.
    remedy: str


@frozen(kw_only=True)
class Judgement:
    """All that is said about one log."""

    #: Where it lies.
    path: Path
    #: Its format; nothing where the header does not tell.
    format: int | None = None
    #: Its encoding; nothing where it could not be read.
    compression: Compression | None = None
    #: How many events a reader gets.
    events: int = 0
    #: How many of them were inherited.
    inherited: int = 0
    #: What was found, errors first, then in the order of the log.
    findings: tuple[Finding, ...] = ()

    @property
    def opens(self) -> bool:
        """Whether the runtime opens it."""
        return all(each.severity != "error" for each in self.findings)


def judgement_value(judgement: Judgement) -> JsonObject:
    """Return a judgement as ``--json`` shows it."""
    return {
        "path": str(judgement.path),
        "format": judgement.format,
        "compression": judgement.compression,
        "events": judgement.events,
        "inherited": judgement.inherited,
        "opens": judgement.opens,
        "findings": [_finding_value(each) for each in judgement.findings],
    }


def _finding_value(finding: Finding) -> Json:
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "line": finding.line,
        "seq": finding.seq,
        "problem": finding.problem,
        "remedy": finding.remedy,
    }


_EVENT = re.compile(r"event (\d{1,15})")
_LINE = re.compile(r"line (\d{1,15})")


def error_of(refusal: Refusal, remedy: str, line_of: Callable[[int], int | None]) -> Finding:
    """Return the finding of a refusal; *line_of* finds the line of a seq.

    A place in the log of another format says where the chain stopped, and stays in the sentence.
    """
    event, line = _EVENT.fullmatch(refusal.where), _LINE.fullmatch(refusal.where)
    seq = int(event[1]) if event else None
    told = event or line or refusal.where == "log"
    return Finding(
        rule=refusal.rule,
        severity="error",
        line=int(line[1]) if line else None if seq is None else line_of(seq),
        seq=seq,
        problem=refusal.problem if told else f"{refusal.where}: {refusal.problem}",
        remedy=refusal.remedy or remedy,
    )
