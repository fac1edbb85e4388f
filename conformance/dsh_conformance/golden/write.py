"""Taking over what the real runtime says, where a person accepts it.

Only what was read off the real runtime can change: the verdict, the cut and the migrated log of a
case whose provenance names a version of it, and what the runtime of the case's own format says.
What was worked by hand stays; a difference there is for a person to settle.
A proposal is shown as a difference of files, and is written only when its name is accepted.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from difflib import unified_diff
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from dsh_conformance.golden.against import Launching, alike, native, observations
from dsh_conformance.golden.case import CASE, MIGRATED, NEWEST, Case, case_text
from dsh_conformance.golden.check import Pinned
from dsh_conformance.golden.corpus import PINS, corpus
from dsh_conformance.golden.observe import Closed, Opened, Who
from dsh_conformance.golden.runs import runs
from dsh_conformance.logs.writing import log_bytes
from dsh_conformance.report.errors import Unwritable


@frozen(kw_only=True)
class Proposal:
    """A case as it would be after taking over what was observed."""

    #: The case as it is.
    before: Case
    #: The case as it would be.
    after: Case

    @property
    def difference(self) -> str:
        """The lines that change; nothing where nothing does."""
        names = sorted(self.before.files.keys() | self.after.files.keys())
        return "".join(line for name in names for line in self._lines(name))

    def _lines(self, name: str) -> Iterator[str]:
        old, new = self.before.files.get(name, b""), self.after.files.get(name, b"")
        if old != new:
            place = f"{self.before.place}/{name}"
            yield from unified_diff(_shown(old), _shown(new), place, place)


def proposals(cases: Sequence[Case], launching: Launching) -> Iterator[Proposal]:
    """Return what each case would become; raises `Fault` where there is no runtime to ask."""
    shown = set()
    for case, seen, who in observations([case for case in cases if _is_observed(case)], launching):
        said, logs = _taken_over(case, seen, who)
        shown.add(case.place)
        yield Proposal(before=case, after=_spelled(case, said, logs))
    for case in cases:
        if case.place not in shown:
            yield Proposal(before=case, after=_spelled(case, case.said, {}))


def accept(proposal: Proposal, where: Path) -> None:
    """Write the files of a proposal below *where*; raises `Unwritable`."""
    directory = where / proposal.before.place
    try:
        for name in proposal.before.files.keys() - proposal.after.files.keys():
            (directory / name).unlink()
        for name, data in proposal.after.files.items():
            (directory / name).write_bytes(data)
    except OSError as error:
        raise Unwritable(f"cannot write to {str(directory)!r}: {error.strerror}") from None


def pin(places: Sequence[str], where: Path) -> None:
    """Pin the cases at *places* as they are now; a place without a case loses its pin."""
    path = where / PINS
    try:
        pins: dict[str, str] = json.loads(path.read_bytes()) if path.exists() else {}
        there: list[Pinned] = [*corpus(where), *runs(where)]
        digests = {each.place: each.digest for each in there}
        for place in places:
            pins.pop(place, None)
            pins.update({place: digests[place]} if place in digests else {})
        text = json.dumps(dict(sorted(pins.items())), indent=1)
        path.write_text(f"{text}\n", encoding="utf-8", newline="\n")
    except OSError as error:
        raise Unwritable(f"cannot write to {str(path)!r}: {error.strerror}") from None
    except ValueError:
        raise Unwritable(f"{str(path)!r} is no JSON; restore it first") from None


def _shown(data: bytes) -> list[str]:
    return data.decode("utf-8", "replace").splitlines(keepends=True)


def _is_observed(case: Case) -> bool:
    provenance = case.said.get("provenance", {})
    return "version" in provenance and provenance["kind"] != "hand-worked"


def _spelled(case: Case, said: Mapping[str, Any], logs: Mapping[str, bytes]) -> Case:
    kept = {
        name: data
        for name, data in case.files.items()
        if name != MIGRATED or said.get("expect", {}).get("migrated") == MIGRATED
    }
    return evolve(case, said=said, files={**kept, **logs, CASE: case_text(said)})


def _taken_over(
    case: Case, seen: Opened | Closed, who: Who
) -> tuple[Mapping[str, Any], Mapping[str, bytes]]:
    old: Mapping[str, Any] = case.said.get("expect", {})
    if who.format != NEWEST:
        return {**case.said, "expect": {**old, "native": native(seen, who)}}, {}
    rest = {key: old[key] for key in old if key not in ("verdict", "inherited", "migrated")}
    logs: dict[str, bytes] = {}
    if isinstance(seen, Closed):
        expect = {"verdict": _refused(case, seen.kind), **rest}
    elif case.format == NEWEST:
        expect = {"verdict": "admitted", **rest}
    else:
        expect = {"verdict": "admitted", "inherited": seen.log.inherited, **rest}
        expect["migrated"] = MIGRATED
        logs[MIGRATED] = log_bytes(seen.log, "none")
    provenance = {**case.said["provenance"], "version": who.version}
    return {**case.said, "provenance": provenance, "expect": expect}, logs


def _refused(case: Case, kind: str) -> object:
    """Keep the rule that a person named, where the kind of refusal is the expected one."""
    match case.said.get("expect", {}).get("verdict"):
        case {"refused": {"kind": str() as known}} as verdict if alike(known, kind):
            return verdict
    return {"refused": {"kind": kind, "rule": case.said["rules"][0]}}
