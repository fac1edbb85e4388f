"""Roots that a store must refuse as a whole.

Each is made in a workspace of its own, before the store opens that, and ends the run.
"""

from collections.abc import Mapping

from attrs import evolve

from dsh_conformance.generate.tape import Tape
from dsh_conformance.implementation.capabilities import Artifacts, compression_of
from dsh_conformance.tracks.store.course import StakesOf
from dsh_conformance.tracks.store.disk.layout import log_of
from dsh_conformance.tracks.store.disk.run import DiskRun
from dsh_conformance.tracks.store.disk.writing import file_of, other
from dsh_conformance.tracks.store.expect import Check, Equals, RefusedAs
from dsh_conformance.tracks.store.script import Call, Files, Place, Workspace
from dsh_reference.files import log_path
from dsh_reference.session_log import SessionLog

_PLACE = "v"


def two_homes(run: DiskRun, tape: Tape) -> StakesOf:
    """One id in two project directories."""
    first = log_of("s1", 1, run.format, word="one")
    second = log_of("s1", 1 + tape.pick(2), run.format, word="two")
    second = evolve(second, header={**second.header, "cwd": tape.one_of(("/w", "/"))})
    return _scene(
        run,
        {path: content for log in (first, second) for path, content in _file(run, log).items()},
        "FILE-ONE-HOME",
        "put a session 's1' into two projects of an empty workspace, and open that",
        ("read", "write"),
    )


def two_encodings(run: DiskRun, tape: Tape) -> StakesOf:
    """A log of the other encoding beside one of the store's own."""
    mine = log_of("s1", 1, run.format)
    stranger = log_of(tape.one_of(("s2", "s1 ", "a")), 1, run.format)
    files = {**_file(run, mine), **_file(run, stranger, other(run.artifacts))}
    says = "put a log of the other encoding beside that of session 's1', and open the workspace"
    return _scene(run, files, "FILE-ONE-ENCODING", says, ("read", "list"))


def flat(run: DiskRun, tape: Tape) -> StakesOf:
    """A log directly in a project directory."""
    mine = log_of("s1", 1, run.format)
    ((path, content),) = _file(run, mine).items()
    project, _, _ = path.partition("/")
    ending = ".jsonl" if run.artifacts == "jsonl" else ".jsonl.zstd"
    files = {path: content, f"{project}/{tape.one_of(('s2', 'session'))}{ending}": content}
    says = "put a log beside the directory of session 's1', and open the workspace"
    return _scene(run, files, "FILE-FLAT-REFUSED", says, ("read", "list"))


def _file(run: DiskRun, log: SessionLog, artifacts: Artifacts | None = None) -> Mapping[str, bytes]:
    encoding = artifacts or run.artifacts
    return {log_path(log.header, compression_of(encoding)): file_of(log, encoding)}


def _scene(
    run: DiskRun, files: Mapping[str, bytes], rule: str, says: str, calls: tuple[str, ...]
) -> StakesOf:
    for path, content in files.items():
        run.player.play(Place(path=path, content=content, workspace=_PLACE))
    run.player.play(Workspace(name=_PLACE, says=says))
    refused = (Check(rule, RefusedAs()),)
    for call in calls:
        if call == "list":
            run.player.play(Call(method="store/list", params={}, checks=refused, says="list it"))
            continue
        opening = Call(
            method="store/open",
            params={"id": "s1", "access": call},
            checks=refused,
            says=f"open session 's1' to {call}",
        )
        run.player.play(opening)
    untouched = (Check(rule, Equals(("changed",), [])),)
    for directory in sorted({path.rpartition("/")[0] for path in files}):
        run.player.play(Files(directory=directory, workspace=_PLACE, checks=untouched))
    run.over = True
    return {}
