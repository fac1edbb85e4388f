"""The session header: what identifies a session, in memory and as the first line of a log.

The two forms differ in three points.  The physical line has a ``type``, always states the
delegation depth, and its version is judged before all else: a reader that does not know the format
can tell nothing about the other fields, so it calls the log unsupported, never damaged.
In v0 and v1 the line has a fourth: it states the length of the inherited prefix in place of
whether there is one.

A header may combine `origin`, `parentSession` and `delegationDepth` in any way (HDR-ORIGIN-DEPTH),
and its `id` is the one that its log is asked for by (HDR-ID-MATCH).
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, cast, get_args

from attrs import evolve

from dsh_reference.refusal import Refusal
from dsh_reference.values import is_count, not_json
from dsh_spec.catalogue import Format
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json

#: The newest format, that of the logs which stores keep.
VERSION: Final = 4

_Test = Callable[[Json], bool]


def _is_text(value: Json) -> bool:
    return isinstance(value, str)


_REQUIRED: Mapping[str, tuple[_Test, str]] = MappingProxyType(
    {
        "id": (_is_text, "a string"),
        "createdAt": (is_count, "an integer from 0 to 2^53 - 1"),
        "isSeeded": (lambda value: isinstance(value, bool), "true or false"),
    }
)
_SEED_LENGTH: Mapping[str, tuple[_Test, str]] = MappingProxyType(
    {"seedLength": (is_count, "an integer from 0 to 2^53 - 1")}
)
_OPTIONAL: Mapping[str, tuple[_Test, str]] = MappingProxyType(
    {
        "cwd": (lambda value: isinstance(value, str) and value.startswith("/"), "an absolute path"),
        "parentSession": (_is_text, "a string"),
        "origin": (lambda value: value == "subagent", 'the string "subagent"'),
        "agentPreset": (_is_text, "a string"),
    }
)
_DEPTH: Mapping[str, tuple[_Test, str]] = MappingProxyType(
    {"delegationDepth": (is_count, "an integer from 0 to 2^53 - 1")}
)
_TYPE: Mapping[str, tuple[_Test, str]] = MappingProxyType(
    {"type": (lambda value: value == "session", 'the string "session"')}
)
#: Keys that older headers had, each with the rule that retired it.
_RETIRED: Mapping[str, str] = MappingProxyType(
    {
        "seedLength": "HDR-RETIRED-SEEDLENGTH",
        "sandboxMode": "HDR-RETIRED-POLICY",
        "approvalPolicy": "HDR-RETIRED-POLICY",
    }
)


def check_header(raw: object, format: Format = VERSION) -> Refusal | None:  # noqa: A002 - the word for it
    """Judge a logical header, as a store is given it: ``None``, or why it is no header.

    It has one form in every format (HDRL-RELEASED).

    The delegation depth may be absent, which means 0.  The refusal's kind is ``not-json`` (rule
    JSON-REFUSE) or ``invalid-argument``.

    Source: HDR-LOSSLESS, HDR-VERSION-FIRST, HDR-EXACT, HDR-CWD-ABS, HDRL-DEPTH-OPTIONAL,
    HDR-RETIRED-SEEDLENGTH, HDR-RETIRED-POLICY (facts: events §2.1, §2.2; probed on 0.2.1rc2).
    """
    refusal = not_json(raw)
    if refusal is not None:
        return evolve(refusal, where=refusal.where.replace("value", "header", 1))
    kind = RefusalKind.INVALID_ARGUMENT
    if not isinstance(raw, dict):
        return _refuse(kind, "HDR-EXACT", "it is no object")
    if not is_count(raw.get("version")) or raw["version"] != format:
        return _refuse(kind, "HDR-VERSION-FIRST", f"the version is not {format}")
    return _check_fields(raw, kind, required=_REQUIRED, optional={**_OPTIONAL, **_DEPTH})


def check_header_line(raw: Json, format: Format | None = VERSION) -> Refusal | None:  # noqa: A002 - the word for it
    """Judge the first line of a log, once it has been read as JSON: ``None``, or why not.

    *format* is what the log's name says; without one the line's own version holds, as long as it
    is a known one.
    The refusal's kind is ``unsupported-format`` when the version is a number other than 4 in a log
    that says it is of the newest format, or a newer one in a log that says nothing, however odd
    the rest of the line; it is ``corrupt`` otherwise.

    Source: HDR-VERSION-FIRST, ROW-ONE-VERSION, HDR-EXACT, HDR-CWD-ABS, HDR-RETIRED-SEEDLENGTH,
    HDR-RETIRED-POLICY (facts: events §2.1, persistence §4.3, §4.7; probed on 0.2.1rc2 under the
    names of v0, v2 and v4).
    """
    kind = RefusalKind.CORRUPT
    if not isinstance(raw, Mapping):
        return _refuse(kind, "HDR-EXACT", "it is no object")
    found = line_format(raw, format)
    if isinstance(found, Refusal):
        return found
    required, optional = {**_TYPE, **_REQUIRED, **_DEPTH}, dict(_OPTIONAL)
    if found < 2:
        del required["isSeeded"]
        optional |= _SEED_LENGTH
    return _check_fields(raw, kind, required=required, optional=optional)


def line_format(raw: Mapping[str, Json], named: Format | None) -> Format | Refusal:
    """Return the format of a log by its first line, which has to be the *named* one, if any."""
    version = raw.get("version")
    is_number = isinstance(version, int | float) and not isinstance(version, bool)
    if named == VERSION and is_number and version != VERSION:
        return _unsupported(cast("float", version))
    if not is_count(version):
        return _refuse(RefusalKind.CORRUPT, "HDR-VERSION-FIRST", "the version is no integer")
    if named is None and version > VERSION:
        return _unsupported(version)
    if named is not None and version != named:
        problem = f"the log is named as one of v{named}, its header is one of v{version}"
        return _refuse(RefusalKind.CORRUPT, "ROW-ONE-VERSION", problem)
    return next(known for known in get_args(Format) if known == version)


def _unsupported(version: float) -> Refusal:
    age, remedy = (
        ("newer", "Open it with a newer build.")
        if version > VERSION
        else ("older", "Migrate it first.")
    )
    return _refuse(
        RefusalKind.UNSUPPORTED_FORMAT,
        "HDR-VERSION-FIRST",
        f"the log is of format v{version}, {age} than v{VERSION}",
        remedy,
    )


def _check_fields(
    raw: Mapping[str, Json],
    kind: RefusalKind,
    *,
    required: Mapping[str, tuple[_Test, str]],
    optional: Mapping[str, tuple[_Test, str]],
) -> Refusal | None:
    fields = {**required, **optional}
    for key in raw.keys() - fields.keys() - {"version"}:
        return _refuse(kind, _RETIRED.get(key, "HDR-EXACT"), f"the key {key!r} is not its own")
    for key in required.keys() - raw.keys():
        return _refuse(kind, "HDR-EXACT", f"the key {key!r} is missing")
    for key, (test, says) in fields.items():
        if key in raw and not test(raw[key]):
            rule = "HDR-CWD-ABS" if key == "cwd" else "HDR-EXACT"
            return _refuse(kind, rule, f"{key!r} must be {says}")
    return None


def _refuse(kind: RefusalKind, rule: str, problem: str, remedy: str = "") -> Refusal:
    return Refusal(kind=kind, rule=rule, where="header", problem=problem, remedy=remedy)
