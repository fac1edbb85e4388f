"""A run told to people."""

from collections.abc import Sequence

from dsh_conformance.tracks.store.script import Artifact, Call, Files, Line, Lock, Outside


def narrative(lines: Sequence[Line]) -> tuple[str, ...]:
    """Return one line for each thing done, and one for the look that showed the difference."""
    told = [says for line in lines if (says := getattr(line, "says", ""))]
    last = lines[-1]
    if isinstance(last, Call) and (last.view or not last.says):
        told.append(f"then {_described(last)} shows the difference")
    elif isinstance(last, Artifact):
        told.append(f"then the file of session {last.session!r} shows the difference")
    elif isinstance(last, Files):
        told.append(f"then the files in {last.directory!r} show the difference")
    elif isinstance(last, Lock) and not last.says:
        told.append("then the lock shows the difference")
    elif isinstance(last, Outside):
        told.append("then something lies outside the workspace")
    return tuple(told)


def _described(call: Call) -> str:
    subject = call.params.get("id", call.params.get("handle"))
    name = call.method.removeprefix("store/")
    where = "" if call.process == "main" else f" in the {call.process} process"
    return f"{name} of {subject!r}{where}" if subject is not None else f"{name}{where}"
