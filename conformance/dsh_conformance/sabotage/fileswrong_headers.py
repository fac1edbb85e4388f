"""Sabotages of the reading of header lines and cuts."""

from collections.abc import Callable, Sequence
from typing import Any

from dsh_conformance.implementation.backend import Refuse
from dsh_conformance.sabotage.fileswrong_wrap import File, Raw, edited, reads
from dsh_reference.values import parse
from dsh_spec.refusals import RefusalKind

_KEYS = (
    "type",
    "version",
    "id",
    "createdAt",
    "cwd",
    "parentSession",
    "isSeeded",
    "seedLength",
    "origin",
    "delegationDepth",
    "agentPreset",
)
_OLD = (0, 1)
_NEW = (2, 3, 4)
_EVERY = (*_OLD, *_NEW)


def _mended(
    file: File, change: Callable[[Raw], Raw | None], formats: Sequence[int] = _EVERY
) -> Raw:
    """Read a file of some formats with another header line."""
    if file.format not in formats:
        return file.read()
    return file.relined(lambda line: edited(line, change), header=True)


def _without(*keys: str) -> Callable[[Raw], Raw | None]:
    def change(head: Raw) -> Raw | None:
        kept = {key: value for key, value in head.items() if key not in keys}
        return None if kept == head else kept

    return change


def _known(head: Raw) -> Raw | None:
    return _without(*(head.keys() - set(_KEYS)))(head)


@reads("HDR-EXACT", like="F16")
def ignores_strange_header_keys(file: File) -> Raw:
    """Keys that a header does not have are passed over."""
    return _mended(file, _known, _NEW)


@reads("HDR-EXACT", like="F27")
def defaults_what_a_header_lacks(file: File) -> Raw:
    """A header without a time or a depth is given one."""
    given = {"createdAt": 0, "delegationDepth": 0}
    return _mended(
        file, lambda head: None if given.keys() <= head.keys() else {**given, **head}, _NEW
    )


@reads("MIG01-HDR-PHYS", like="F16")
def ignores_strange_keys_of_old_headers(file: File) -> Raw:
    """Keys that an old header does not have are passed over."""
    return _mended(file, _known, _OLD)


@reads("MIG01-HDR-PHYS")
def takes_new_keys_in_old_headers(file: File) -> Raw:
    """An old header may say whether it is seeded."""
    return _mended(file, _without("isSeeded"), _OLD)


@reads("MIG01-HDR-LOGICAL", like="F16")
def takes_no_length_for_none(file: File) -> Raw:
    """A seedLength of 0 counts as none."""
    found = file.read()
    line: Any = parse(file.texts()[0].split(b"\n")[0])
    is_none = file.format < 2 and line.get("seedLength") == 0
    return found | {"header": {**found["header"], "isSeeded": False}} if is_none else found


@reads("HDR-CWD-ABS", like="F26")
def makes_paths_absolute(file: File) -> Raw:
    """A relative cwd is taken to lie in the root."""

    def absolute(head: Raw) -> Raw | None:
        cwd = head.get("cwd", "/")
        return None if not isinstance(cwd, str) or cwd[:1] == "/" else {**head, "cwd": f"/{cwd}"}

    return _mended(file, absolute)


@reads("HDR-RETIRED-SEEDLENGTH", like="F16")
def takes_lengths_in_new_headers(file: File) -> Raw:
    """A header of v2 or later may still have a seedLength."""
    return _mended(file, _without("seedLength"), _NEW)


@reads("HDR-RETIRED-POLICY")
def takes_policies(file: File) -> Raw:
    """A header may still have a policy."""
    return _mended(file, _without("sandboxMode", "approvalPolicy"))


@reads("HDR-VERSION-FIRST", like="F16")
def calls_newer_versions_corrupt(file: File) -> Raw:
    """A log of a newer format is called corrupt."""
    try:
        return file.read()
    except Refuse as refusal:
        if refusal.kind != RefusalKind.UNSUPPORTED_FORMAT:
            raise
        raise Refuse(RefusalKind.CORRUPT, str(refusal)) from None


@reads("HDR-VERSION-FIRST", like="F16")
def judges_versions_last(file: File) -> Raw:
    """A log of a newer format is called corrupt when its header looks odd."""
    refusal = file.refusal()
    lines: list[Any] = [parse(text.split(b"\n")[0]) for text in file.texts()[:1]]
    if refusal is not None and any(isinstance(head, dict) and "acme" in head for head in lines):
        raise Refuse(RefusalKind.CORRUPT, "the header has strange keys")
    return file.read()


@reads("ROW-ONE-VERSION", like="F20")
def goes_by_the_name(file: File) -> Raw:
    """A log is read as one of the format that its name states."""

    def renamed(head: Raw) -> Raw | None:
        if head.get("version") not in _EVERY:
            return None
        changed = {**head, "version": file.format}
        if file.format < 2:
            changed.pop("isSeeded", None)
        else:
            changed = {"isSeeded": False, **changed}
            changed.pop("seedLength", None)
        return changed if head["version"] != file.format else None

    return _mended(file, renamed)


@reads("HDR-ORDER")
def wants_keys_in_order(file: File) -> Raw:
    """A header whose keys stand in another order is refused."""
    found = file.read()
    line: Any = parse(file.texts()[0].split(b"\n")[0])
    if sorted(line, key=_KEYS.index) != list(line):
        raise Refuse(RefusalKind.CORRUPT, "the keys stand in another order")
    return found


@reads("CUT-V0V1", like="F16")
def cuts_at_the_end(file: File) -> Raw:
    """A seedLength beyond the end counts as the length of the log."""
    refusal = file.refusal()
    if refusal is None or refusal.rule != "CUT-V0V1":
        return file.read()
    found = _mended(file, lambda head: {**head, "seedLength": 0}, _OLD)
    return found | {"inheritedEventCount": len(found["events"])}


@reads("CUT-V0V1", like="F16")
def looks_for_markers_in_old_logs(file: File) -> Raw:
    """An old log counts as inheriting nothing, since it has no marker."""
    found = file.read()
    return found | {"inheritedEventCount": 0} if file.format < 2 else found


def _marks(events: Sequence[Any]) -> list[int]:
    return [
        seq
        for seq, event in enumerate(events)
        if event.get("type") == "session/end-seed" and event["data"] == {"inherited": True}
    ]


@reads("CUT-V2PLUS", like="F21")
def cuts_at_the_first_marker(file: File) -> Raw:
    """The inherited prefix ends at the first marker."""
    found = file.read()
    marks = _marks(found["events"]) if found["header"].get("isSeeded") is True else []
    return found | {"inheritedEventCount": marks[0]} if marks and file.format > 1 else found


@reads("CUT-V2PLUS", like="F21")
def takes_any_end_of_a_seed(file: File) -> Raw:
    """The inherited prefix ends at any session/end-seed."""
    found = file.read()
    ends = [seq for seq, e in enumerate(found["events"]) if e.get("type") == "session/end-seed"]
    return found | {"inheritedEventCount": ends[-1]} if ends and file.format > 1 else found


@reads("CUT-V2PLUS", like="F21")
def opens_seeded_logs_without_markers(file: File) -> Raw:
    """A seeded log without a marker counts as inheriting nothing."""
    refusal = file.refusal()
    if refusal is None or refusal.rule != "CUT-V2PLUS":
        return file.read()
    found = _mended(file, lambda head: {**head, "isSeeded": False}, _NEW)
    return found | {"header": {**found["header"], "isSeeded": True}}
