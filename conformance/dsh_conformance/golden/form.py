"""The form of a case: its files are the ones that there may be, and each is spelled canonically."""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

import fastjsonschema

from dsh_conformance.backends.zstd import Zstd
from dsh_conformance.golden.case import (
    BESIDE,
    CASE,
    EDGE,
    LOGS,
    MIGRATED,
    NEWEST,
    Case,
    Finding,
    case_text,
)
from dsh_conformance.golden.spelling import is_canonical
from dsh_reference.files import parse_log_name
from dsh_reference.files.frames import scan_frames
from dsh_reference.refusal import Refusal
from dsh_spec.catalogue import Format, rules


def faults(case: Case) -> Iterator[Finding]:
    """Say what is wrong with the form of *case*."""
    problem = _names(case) or _schema(case.said)
    if problem is not None:
        yield Finding(place=case.place, problem=problem)
        return
    for found in (*_words(case), *_spelling(case)):
        yield Finding(place=case.place, problem=found)


def unusable(case: Case) -> str | None:
    """Say why *case* cannot be shown to anybody; it need not expect anything yet."""
    expect = {"verdict": "admitted", **case.said.get("expect", {})}
    return _names(case) or _schema({**case.said, "expect": expect})


def _names(case: Case) -> str | None:
    if CASE not in case.files:
        return f"there is no {CASE}"
    if sum(name in case.files for name in LOGS) != 1:
        return f"there must be one log, {' or '.join(LOGS)}"
    known = {CASE, MIGRATED, EDGE, *LOGS}
    strange = sorted(
        name
        for name in case.files
        if name not in known
        and not (name.startswith(f"{BESIDE}/") and parse_log_name(name.partition("/")[2]))
    )
    return f"the file {strange[0]} belongs to no case" if strange else None


def _schema(said: Mapping[str, Any]) -> str | None:
    try:
        _check()(dict(said))
    except fastjsonschema.JsonSchemaException as error:
        return f"{CASE} breaks its schema: {error}"
    return None


def _words(case: Case) -> Iterator[str]:
    """Check what the schema cannot: names, slugs, and which files there must be."""
    said, expect = case.said, case.expect
    if said["name"] != case.name:
        yield f"{CASE} calls it {said['name']!r}"
    slugs = {rule.slug for rule in rules()}
    for slug in said["rules"]:
        if slug not in slugs:
            yield f"no rule is called {slug}"
    for name in ("verdict", "edge"):
        outcome = expect.get(name)
        if isinstance(outcome, dict) and outcome["refused"]["rule"] not in said["rules"]:
            yield f"the rule of its {name}, {outcome['refused']['rule']}, is not among its rules"
    for key, file in (("migrated", MIGRATED), ("edge", EDGE)):
        if (expect.get(key) == file) != (file in case.files):
            yield f"{file} is there without being expected, or the other way round"
    if expect["verdict"] == "admitted" and case.format < NEWEST and MIGRATED not in case.files:
        yield f"an older log that is admitted needs {MIGRATED}"


def _spelling(case: Case) -> Iterator[str]:
    if case.files[CASE] != case_text(case.said):
        yield f"{CASE} is not in its canonical spelling"
    text = plain_text(case)
    if (text is not None and is_canonical(text, case.format)) != case.said["canonical"]:
        yield (
            "the log is not spelled as the writer spells it"
            if case.said["canonical"]
            else "the log is spelled as the writer spells it, but the case says it is not"
        )
    for file, version in _versions(case).items():
        if file in case.files and not is_canonical(case.files[file], version):
            yield f"{file} is not spelled as the writer spells a log of v{version}"


def _versions(case: Case) -> Mapping[str, Format]:
    """Return the format of each other log that a case may have."""
    return {MIGRATED: NEWEST, EDGE: _NEXT[case.format]}


def plain_text(case: Case) -> bytes | None:
    """Return the text of the log: nothing where its frames are not whole."""
    if case.compression == "none":
        return case.log
    return unframed(case.log)


def unframed(data: bytes) -> bytes | None:
    """Return the text of whole frames, the first of which holds the first line alone."""
    frames = scan_frames(data)
    if isinstance(frames, Refusal) or frames.torn_start is not None:
        return None
    inflate = Zstd().inflate()
    parts = [inflate.whole(data[frame.start : frame.end]) for frame in frames.complete]
    texts = [part for part in parts if isinstance(part, bytes)]
    alone = texts[:1] and texts[0].find(b"\n") == len(texts[0]) - 1
    return b"".join(texts) if alone and len(texts) == len(parts) else None


#: The format to which the edge from each leads; from the newest there is none.
_NEXT: Final[Mapping[Format, Format]] = {0: 1, 1: 2, 2: 3, 3: 4, 4: 4}


@cache
def _check() -> Callable[[Any], Any]:
    source = files("dsh_spec") / "schema" / "golden" / "case.schema.json"
    check: Callable[[Any], Any] = fastjsonschema.compile(json.loads(source.read_bytes()))
    return check
