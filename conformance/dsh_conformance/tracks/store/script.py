"""A run as data: the lines of a replay script.

A script is JSON lines.  The first line is the head: which rule the run breaks, in which suite.
Every other line is one thing to do, in order:

- `call`: a request of the adapter protocol; a `handle` that is a string stands for the handle that
  an earlier line kept under that name;
- `life`: `start`, `stop` (end of input, exit status 0) or `kill` (SIGKILL) of a process;
- `workspace`: close the process's workspace and open the one of this name;
- `artifact`: read the file that `store/locate` names;
- `damage`: with no process touching the session, put these bytes in the file's place;
- `outside`: look whether anything was written beside the workspace;
- `place`: put a file into a workspace, at a path from there;
- `files`: look at the files of a directory in a workspace;
- `lock`: with the `flock` of the file `session.lock` in such a directory: `try` whether it is free,
  `hold` it, or `let-go` of it.

`checks` says what the spec demands of the answer, rule by rule.  `keeps` names what later lines
refer to.  `view` marks the looks that the suite takes after every step.
"""

from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias, cast

from attrs import field, frozen
from cattrs import Converter
from cattrs.strategies import configure_tagged_union

from dsh_conformance.tracks.store import expect
from dsh_conformance.tracks.store.answers import Path
from dsh_conformance.tracks.store.expect import Check
from dsh_spec.values import Json, JsonObject


@frozen(kw_only=True)
class Call:
    """One request to one process."""

    #: The method.
    method: str
    #: The parameters, with names in the place of handles.
    params: JsonObject
    #: What the answer must be.
    checks: tuple[Check, ...] = ()
    #: What to keep of the result: name to path.
    keeps: Mapping[str, Path] = field(factory=dict)
    #: The process that is asked.
    process: str = "main"
    #: Whether it is one of the looks taken after a step.
    view: bool = False
    #: The line for people, where the call is a step of the run.
    says: str = ""


@frozen(kw_only=True)
class Life:
    """The start or the end of a process."""

    #: What happens.
    event: Literal["start", "stop", "kill"]
    #: To which process.
    process: str = "main"
    #: On which workspace it starts.
    workspace: str = "w"
    #: The line for people.
    says: str = ""


@frozen(kw_only=True)
class Workspace:
    """The process moves to another workspace."""

    #: Its name.
    name: str
    #: The process.
    process: str = "main"
    #: The line for people.
    says: str = ""


@frozen(kw_only=True)
class Artifact:
    """A look at a session's file."""

    #: The session's id.
    session: str
    #: What the bytes must be.
    checks: tuple[Check, ...] = ()
    #: The name under which the bytes are kept.
    keeps: str = ""
    #: The process that is asked where it lies.
    process: str = "main"


@frozen(kw_only=True)
class Damage:
    """A change of a session's file from outside."""

    #: The session's id.
    session: str
    #: The file's new content.
    content: bytes
    #: The process that is asked where it lies.
    process: str = "main"
    #: The line for people.
    says: str = ""


@frozen(kw_only=True)
class Outside:
    """A look at what lies beside the workspace."""

    #: What must hold.
    checks: tuple[Check, ...] = ()


@frozen(kw_only=True)
class Place:
    """A file that is put into a workspace from outside; what was there is overwritten."""

    #: Its path from the workspace.
    path: str
    #: Its content.
    content: bytes
    #: The workspace.
    workspace: str = "w"
    #: The line for people.
    says: str = ""


@frozen(kw_only=True)
class Files:
    """A look at the files of a directory.

    It results in their names as `files`, those of them that are names of logs as `logs`, and those
    that were placed there and are gone or differ as `changed`; `session.lock` is in none of them,
    and `lock` says whether it is there.
    """

    #: Its path from the workspace.
    directory: str
    #: Files that may differ from what was placed there: those of the present format.
    but: tuple[str, ...] = ()
    #: What must be found.
    checks: tuple[Check, ...] = ()
    #: The workspace.
    workspace: str = "w"


@frozen(kw_only=True)
class Lock:
    """A use of the lock that a session's writer holds.

    It results in whether the file is there as `exists`, whether it is the one that it was the last
    time as `same`, and whether nobody else holds the lock as `free`.
    """

    #: The path of the session's directory from the workspace.
    directory: str
    #: What is done.
    does: Literal["try", "hold", "let-go"]
    #: What must be found.
    checks: tuple[Check, ...] = ()
    #: The workspace.
    workspace: str = "w"
    #: The line for people.
    says: str = ""


Line: TypeAlias = Call | Life | Workspace | Artifact | Damage | Outside | Place | Files | Lock

_TAGS = {
    Call: "call",
    Life: "life",
    Workspace: "workspace",
    Artifact: "artifact",
    Damage: "damage",
    Outside: "outside",
    Place: "place",
    Files: "files",
    Lock: "lock",
}


def _converter() -> Converter:
    made = Converter(forbid_extra_keys=True, omit_if_default=True)
    made.register_unstructure_hook(bytes, lambda value: b64encode(value).decode("ascii"))
    made.register_structure_hook(bytes, lambda value, _: b64decode(value, validate=True))
    made.register_structure_hook_func(_is_json, lambda value, _: value)
    made.register_unstructure_hook_func(_is_json, lambda value: value)
    configure_tagged_union(expect.Expectation, made, _kebab, tag_name="is")
    configure_tagged_union(Line, made, lambda cls: _TAGS[cls], tag_name="do")
    return made


def _is_json(annotation: object) -> bool:
    return annotation in (Json, JsonObject)


def _kebab(cls: type) -> str:
    name = cls.__name__
    return "".join("-" + c.lower() if c.isupper() else c for c in name).lstrip("-")


_CONVERTER = _converter()


def expectation_json(value: expect.Expectation) -> Json:
    """Return an expectation as it stands in a script."""
    return cast("Json", _CONVERTER.unstructure(value, unstructure_as=expect.Expectation))


def line_json(line: Line) -> JsonObject:
    """Return a line as it stands in a script."""
    return cast("JsonObject", _CONVERTER.unstructure(line, unstructure_as=Line))


def read_lines(lines: Iterable[JsonObject]) -> tuple[Line, ...]:
    """Return the lines of a script (without its head); raises `ValueError` naming the bad line."""
    read = []
    for number, line in enumerate(lines, start=2):
        try:
            read.append(_CONVERTER.structure(line, cast("Any", Line)))
        except Exception as error:  # cattrs raises many kinds for one mistake
            problem = f"line {number} of the script is no line that this suite knows"
            raise ValueError(problem) from error
    return tuple(read)
