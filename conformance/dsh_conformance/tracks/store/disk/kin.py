"""Sessions with children: what a migrated parent lists of them."""

from collections.abc import Sequence

from attrs import evolve

from dsh_conformance.generate.formats.families import families
from dsh_conformance.generate.tape import Tape
from dsh_conformance.tracks.store.course import StakesOf
from dsh_conformance.tracks.store.disk.older import (
    open_to_write,
    put_log,
    version_of,
)
from dsh_conformance.tracks.store.disk.run import DiskRun
from dsh_conformance.tracks.store.disk.writing import file_of
from dsh_conformance.tracks.store.encoding import encoding_of
from dsh_conformance.tracks.store.view import Stakes
from dsh_reference.session_log import SessionLog
from dsh_spec.values import JsonObject

_RULE = "MIG-FACTS-COLLECT"
#: How many children a family has here at most: each of them is a session to look at.
_MOST = 2


def place_family(run: DiskRun, tape: Tape) -> StakesOf:
    """Put the logs of children and of their parent there, and open the parent for writing."""
    version = version_of(run, tape)
    family = run.draw(families(version))
    versions = run.arena.claims.migrates_from
    children = [c for c in family.children if c.format in versions][:_MOST]
    if version == 3:  # It has listed some of those that are left out here.
        family = evolve(family, parent=_unlisted(family.parent))
    if not _free(run, [family.parent, *children]):
        return {}
    stakes: dict[str, Stakes] = {}
    for number, child in enumerate(children):
        stakes |= _put_child(run, child, damaged=number == 0 and tape.pick(2) == 0)
    stakes |= put_log(run, family.parent, file_of(family.parent, run.artifacts), _RULE)
    session_id = str(family.parent.header["id"])
    if session_id in run.older():
        run.look(stakes)
        open_to_write(run, session_id)
    return stakes


def _put_child(run: DiskRun, child: SessionLog, *, damaged: bool) -> StakesOf:
    content, says = file_of(child, run.artifacts), ", a child's"
    if damaged and child.events:
        encoding = encoding_of(run.artifacts, child.format)
        ended = encoding.batch([{**_END, "seq": len(child.events)}])
        content = encoding.garbled(content + ended, 0)
        says = ", a child's, with a damaged record"
    return put_log(run, child, content, _RULE, says)


_END: JsonObject = {
    "type": "turn/end",
    "time": 0,
    "data": {"turn": 1, "reason": {"kind": "completed"}},
}


def _unlisted(parent: SessionLog) -> SessionLog:
    """Return the parent without what it says of its children at its end."""
    events = parent.events
    while events and events[-1]["type"] == "subagent/catalog":
        events = events[:-1]
    return evolve(parent, events=events)


def _free(run: DiskRun, family: Sequence[SessionLog]) -> bool:
    taken = run.world.sessions("main")
    ids = [str(log.header["id"]) for log in family]
    return (
        not any(key in taken for key in ids)
        and len({*ids}) == len(ids)
        and not any(run.related(log) for log in family)
    )
