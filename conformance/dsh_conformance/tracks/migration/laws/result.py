"""Law: a log that its own writers could have left comes out as the model says.

Each rule that shows in it is asked for what it says of the result, and last the whole is compared.
"""

from hypothesis import strategies as st

from dsh_conformance.generate.formats import Past, logs
from dsh_conformance.tracks.migration.claims import claimed
from dsh_conformance.tracks.migration.history import History, as_params, history_of
from dsh_conformance.tracks.migration.witness import checks
from dsh_conformance.tracks.migration.witnesses import WITNESSES
from dsh_conformance.tracks.pure.law import Law, Trial
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_spec.values import JsonObject


def cases(claims: JsonObject) -> st.SearchStrategy[SessionLog] | None:
    """Logs of the claimed formats."""
    versions = claimed(claims)
    return st.sampled_from(versions[::-1]).flatmap(logs) if versions else None


def check(trial: Trial, log: SessionLog) -> None:
    """Migrate a log and look at the result."""
    history = known(log)
    trial.call(
        "migration/migrate",
        as_params(log),
        *checks(WITNESSES, history),
        says=f"migrate {told(log)}",
    )


def known(log: SessionLog, children: tuple[JsonObject, ...] = ()) -> History:
    """Return the history of a log that has one; the generators write no other."""
    history = history_of(log, children)
    if isinstance(history, Refusal):
        problem = f"the suite wrote a log that its model refuses: {history}"
        raise AssertionError(problem)
    return history


def told(log: SessionLog) -> str:
    """Return what a log is, in a few words."""
    count = len(log.events)
    events = "1 event" if count == 1 else f"{count} events"
    seeded = f", {log.inherited} of them inherited" if log.header["isSeeded"] else ""
    return f"a log of v{log.header['version']} with {events}{seeded}"


def only(versions: tuple[Past, ...], *wanted: Past) -> tuple[Past, ...]:
    """Return those of the claimed formats that are wanted."""
    return tuple(version for version in versions if version in wanted)


#: The law.
RESULT: Law[SessionLog] = Law(name="result", cases=cases, check=check, weight=40)
