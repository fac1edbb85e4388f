"""Law: what is asked otherwise than by one log of an older format.

A log is asked for in each format that it passes through, in the newest, twice, without its events,
and under versions that are none.

Source: facts migration §0, §5.
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from attrs import evolve, frozen
from hypothesis import strategies as st

from dsh_conformance.generate.formats import Past, logs
from dsh_conformance.tracks.migration.claims import claimed
from dsh_conformance.tracks.migration.history import NEWEST, as_params, history_of
from dsh_conformance.tracks.migration.laws.result import known, told
from dsh_conformance.tracks.migration.witness import whole
from dsh_conformance.tracks.pure.law import Law, Trial
from dsh_conformance.tracks.store.expect import Check, HeaderIs, RefusedAs
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject

_MIGRATE = "migration/migrate"
_FACT: JsonObject = {
    "childId": "kid",
    "childCreatedAt": 5,
    "descriptorCount": 0,
    "descriptor": None,
}
#: Versions of formats to come.
_NEWER: tuple[Json, ...] = (5, 6, 2**31, 2**53 - 1)
#: What is no version.
_NO_VERSIONS: tuple[Json, ...] = ("0", -1, 1.5, None, True, [], 2**53)
#: What is no header.
_NO_HEADERS: tuple[Json, ...] = (None, [], "v0", {})
#: Members of a header that only a format to come could mean.
_STRANGE: JsonObject = {"id": 7, "createdAt": "now", "acme": [1]}

#: Asks about a log, and another one beside it.
_Ask: TypeAlias = Callable[[Trial, "Case"], None]


@frozen(kw_only=True)
class Case:
    """Two logs, and what is asked of them."""

    #: What is asked.
    ask: str
    #: The log.
    log: SessionLog
    #: Another log, of the same session.
    other: SessionLog
    #: What chooses among the ways to ask.
    way: int


@st.composite
def _cases(draw: st.DrawFn, versions: tuple[Past, ...]) -> Case:
    ask = draw(st.sampled_from(sorted(_ASKS)))
    one, two = draw(st.sampled_from(versions[::-1])), draw(st.sampled_from(versions[::-1]))
    log = draw(logs(4)) if ask == "current" else draw(logs(one))
    other = draw(logs(two)) if ask == "again" else log
    same = evolve(other, header={**other.header, "id": log.header["id"]})
    return Case(ask=ask, log=log, other=same, way=draw(st.integers(0, 59)))


def cases(claims: JsonObject) -> st.SearchStrategy[Case] | None:
    """Requests about logs of the claimed formats."""
    versions = claimed(claims)
    return _cases(versions) if versions else None


def check(trial: Trial, case: Case) -> None:
    """Ask."""
    _ASKS[case.ask](trial, case)


def _later(trial: Trial, case: Case) -> None:
    """Ask for the log as one of its edges left it."""
    history = known(case.log)
    versions = sorted(set(history.logs) - {NEWEST})
    log = history.logs[versions[case.way % len(versions)]]
    says = f"migrate what the edges before v{log.header['version']} made of {told(case.log)}"
    trial.call(_MIGRATE, as_params(log), *whole(history, "MIG-COMPOSE"), says=says)


def _current(trial: Trial, case: Case) -> None:
    """Ask for a log of v4, which has children that it does not list."""
    history = known(case.log)
    children = (_FACT,) * (case.way % 2)
    expected = whole(history, "MIG-IDENTITY-CURRENT")
    trial.call(_MIGRATE, as_params(case.log, children), *expected, says=f"migrate {told(case.log)}")


def _again(trial: Trial, case: Case) -> None:
    """Ask for one log twice, and for another one of the session between."""
    history, other = known(case.log), history_of(case.other)
    asked, says = as_params(case.log), f"migrate {told(case.log)}"
    trial.call(_MIGRATE, asked, *whole(history, "MIG-COMPOSE"), says=says)
    if not isinstance(other, Refusal):
        trial.call(_MIGRATE, as_params(case.other), says=f"migrate {told(case.other)}")
    trial.call(_MIGRATE, asked, *whole(history, "MIG-PURE"), says=f"{says}, again")


def _bare(trial: Trial, case: Case) -> None:
    """Ask for a header with the log's events, and without any."""
    log = case.log
    result = known(log).result.header
    expected = Check("MIG-HEADER-ONLY", HeaderIs(("header",), result))
    trial.call(_MIGRATE, as_params(log), expected, says=f"migrate {told(log)}")
    bare = {**log.header, "isSeeded": False}
    alone = SessionLog(header=bare, inherited=0, events=())
    expected = Check("MIG-HEADER-ONLY", HeaderIs(("header",), {**result, "isSeeded": False}))
    trial.call(_MIGRATE, as_params(alone), expected, says=f"migrate {told(alone)}")


def _newer(trial: Trial, case: Case) -> None:
    """Ask for a log of a format to come, which shows its cut by a marker as the newest does."""
    version = _NEWER[case.way % len(_NEWER)]
    strange = _STRANGE if case.way % 3 == 0 else {}
    newest = known(case.log).result
    log = evolve(newest, header={**newest.header, "version": version, **strange})
    expected = Check("MIG-NEWER", RefusedAs((RefusalKind.UNSUPPORTED_FORMAT,)))
    trial.call(_MIGRATE, as_params(log), expected, says=f"migrate {told(log)}")


def _versionless(trial: Trial, case: Case) -> None:
    """Ask for a log whose header has no version, or is none."""
    ways: tuple[Json, ...] = (
        *({**case.log.header, "version": version} for version in _NO_VERSIONS),
        *_NO_HEADERS,
    )
    header = ways[case.way % len(ways)]
    asked = {**as_params(case.log), "header": header}
    expected = Check("MIG-VERSION-PROBE", RefusedAs((RefusalKind.CORRUPT,)))
    shown = header.get("version") if isinstance(header, Mapping) else header
    trial.call(_MIGRATE, asked, expected, says=f"migrate a log of the version {shown!a}")


_ASKS: Mapping[str, _Ask] = {
    "later": _later,
    "current": _current,
    "again": _again,
    "bare": _bare,
    "newer": _newer,
    "versionless": _versionless,
}

#: The law.
REQUESTS: Law[Case] = Law(name="requests", cases=cases, check=check, weight=12)
