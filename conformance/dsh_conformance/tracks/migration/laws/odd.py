"""Law: a log that only looks broken is taken, and comes out as the model says.

What is odd in most logs is wrong in some, such as an id in a message of the time before ids; those
are left out.
"""

from attrs import frozen
from hypothesis import strategies as st

from dsh_conformance.generate.formats import NearMiss, Past
from dsh_conformance.generate.formats.draft import Draft
from dsh_conformance.tracks.migration.claims import OLD, claimed
from dsh_conformance.tracks.migration.history import History, as_params, history_of
from dsh_conformance.tracks.migration.laws.result import told
from dsh_conformance.tracks.migration.laws.trying import first_made
from dsh_conformance.tracks.migration.strata import odd
from dsh_conformance.tracks.migration.witness import checks
from dsh_conformance.tracks.migration.witnesses import WITNESSES
from dsh_conformance.tracks.pure.law import Law, Trial
from dsh_conformance.tracks.store.expect import Accepted, Check
from dsh_reference.refusal import Refusal
from dsh_spec.values import JsonObject


@frozen(kw_only=True)
class Case:
    """An odd log."""

    #: The rule that it shows.
    rule: str
    #: What is odd.
    near_miss: NearMiss
    #: The log, and what becomes of it.
    history: History


@st.composite
def _cases(draw: st.DrawFn, rule: str, versions: tuple[Past, ...]) -> Case:
    def made(near_miss: NearMiss, draft: Draft) -> Case | None:
        log = near_miss.write(draft)
        history = None if log is None else history_of(log)
        if history is None or isinstance(history, Refusal):
            return None
        return Case(rule=rule, near_miss=near_miss, history=history)

    return first_made(draw, odd(versions)[rule], made)


def _law(rule: str) -> Law[Case]:
    def cases(claims: JsonObject) -> st.SearchStrategy[Case] | None:
        versions = claimed(claims)
        return _cases(rule, versions) if rule in odd(versions) else None

    return Law(name=f"odd-{rule.lower()}", cases=cases, check=check)


def check(trial: Trial, case: Case) -> None:
    """Migrate an odd log and look at the result."""
    log = case.history.source
    trial.call(
        "migration/migrate",
        as_params(log),
        Check(case.rule, Accepted()),
        *checks(WITNESSES, case.history),
        says=f"migrate {told(log)}: {case.near_miss.name}",
    )


#: A law for each rule, so that each gets the same share of the runs.
ODD: tuple[Law[Case], ...] = tuple(map(_law, sorted(odd(OLD))))
