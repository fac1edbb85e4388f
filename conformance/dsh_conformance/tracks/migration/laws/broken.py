"""Law: a broken log is refused, by the rule that it breaks, and results in nothing.

What breaks most logs leaves some whole, such as an id that is another one in a seeded log; those
are left out.
"""

from collections.abc import Iterator

from attrs import evolve, frozen
from hypothesis import strategies as st

from dsh_conformance.generate.formats import Breach, Past
from dsh_conformance.generate.formats.draft import Draft
from dsh_conformance.tracks.migration.claims import OLD, claimed
from dsh_conformance.tracks.migration.history import as_params, history_of
from dsh_conformance.tracks.migration.laws.result import told
from dsh_conformance.tracks.migration.laws.trying import first_made
from dsh_conformance.tracks.migration.strata import broken
from dsh_conformance.tracks.pure.law import Law, Trial
from dsh_conformance.tracks.store.expect import Check, NotPart, RefusedAs
from dsh_reference.migrate import migrate
from dsh_reference.migrate.cut import is_mark
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import JsonObject


@frozen(kw_only=True)
class Case:
    """A broken log."""

    #: The rule that it shows.
    rule: str
    #: What was done to it.
    breach: Breach
    #: The log.
    log: SessionLog


@st.composite
def _cases(draw: st.DrawFn, rule: str, versions: tuple[Past, ...]) -> Case:
    def made(breach: Breach, draft: Draft) -> Case | None:
        log = _counted(breach.write(draft))
        if log is None or not isinstance(migrate(log), Refusal):
            return None
        return Case(rule=rule, breach=breach, log=log)

    return first_made(draw, broken(versions)[rule], made)


def _counted(log: SessionLog | None) -> SessionLog | None:
    """Let a request say of the cut what the events show, from v2 on: no file could say else."""
    if log is None or log.header["version"] in (0, 1):
        return log
    marks = [event["seq"] for event in log.events if is_mark(event)]
    shown = marks[-1] if marks else 0
    assert isinstance(shown, int)
    return evolve(log, inherited=shown)


def _law(rule: str) -> Law[Case]:
    def cases(claims: JsonObject) -> st.SearchStrategy[Case] | None:
        versions = claimed(claims)
        return _cases(rule, versions) if rule in broken(versions) else None

    return Law(name=f"broken-{rule.lower()}", cases=cases, check=check)


def check(trial: Trial, case: Case) -> None:
    """Migrate a broken log and look at the refusal."""
    says = f"migrate {told(case.log)}: {case.breach.name}"
    trial.call("migration/migrate", as_params(case.log), *_checks(case), says=says)


def _checks(case: Case) -> Iterator[Check]:
    if case.breach.noticed == "header":
        yield Check(case.rule, RefusedAs((RefusalKind.CORRUPT,)))
        return
    part = _part(case.log)
    if part is not None:
        yield Check("MIG-NO-PARTIAL", NotPart(part.events))
    yield Check(case.rule, RefusedAs())
    yield Check("MIG-WRAP", RefusedAs((RefusalKind.UNSUPPORTED_MIGRATION,)))


def _part(log: SessionLog) -> SessionLog | None:
    """Return what the log without its last event would result in, if in anything."""
    history = history_of(evolve(log, events=log.events[:-1])) if log.events else None
    return None if history is None or isinstance(history, Refusal) else history.result


#: A law for each rule, so that each gets the same share of the runs.
BROKEN: tuple[Law[Case], ...] = tuple(map(_law, sorted(broken(OLD))))
