"""The header's way through the formats; it needs nothing of the log but itself.

The version is read first and alone, so that a log of a future format is called just that, however
strange its header looks.  Each step raises the version by one, and only one of them does more.
"""

from collections.abc import Mapping
from typing import Final, cast

from attrs import evolve

from dsh_reference.header import VERSION, check_header
from dsh_reference.refusal import Refusal
from dsh_reference.values import is_count
from dsh_spec.catalogue import Format
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject, is_object

#: What v3 calls the presets that it renamed (MIG23-HDR, MIG23-PRESET-EVENT).
PRESETS: Final[Mapping[Json, str]] = {"code": "ptc"}
_RENAMED_IN: Final = 3


def migrate_header(header: Json, *, to: int = VERSION) -> JsonObject | Refusal:
    """Return a logical header as format *to* has it.

    The refusal's kind is ``corrupt`` for what is no header, ``unsupported-format`` for a version
    that this build does not know, and ``unsupported-migration`` where no edges lead to *to*.

    Source: MIG-HEADER-ONLY, MIG-HEADER-CHECK, MIG01-HDR-STEP, MIG12-HDR, MIG23-HDR, MIG34-HDR, and
    the rules of the function it asks (facts: migration §0, §3.1).
    """
    version = stored_version(header)
    if isinstance(version, Refusal):
        return version
    assert is_object(header)
    refusal = _check(header)
    if refusal is not None:
        return refusal
    if not is_count(to) or not version <= to <= VERSION:
        problem = f"no edges lead from v{version} to v{to}"
        return _refuse(RefusalKind.UNSUPPORTED_MIGRATION, "MIG-ADJACENT", problem)
    moved: dict[str, Json] = {**header, "version": to}
    if version < _RENAMED_IN <= to and "agentPreset" in header:
        moved["agentPreset"] = PRESETS.get(header["agentPreset"], header["agentPreset"])
    return moved


def stored_version(header: Json) -> Format | Refusal:
    """Return the format that a header names, looking at nothing else of it.

    Source: MIG-VERSION-PROBE, MIG-NEWER (facts: migration §0).
    """
    version = header.get("version") if is_object(header) else None
    if not is_count(version):
        return _refuse(RefusalKind.CORRUPT, "MIG-VERSION-PROBE", "the version is no count")
    if version > VERSION:
        return _refuse(
            RefusalKind.UNSUPPORTED_FORMAT,
            "MIG-NEWER",
            f"the log is of format v{version}, newer than v{VERSION}",
            "Open it with a newer build.",
        )
    return cast("Format", int(version))


def _check(header: JsonObject) -> Refusal | None:
    """Hold a header to the shape that it has in every format, which leaves nothing out."""
    refusal = check_header({**header, "version": VERSION})
    if refusal is not None:
        return evolve(refusal, kind=RefusalKind.CORRUPT)
    if "delegationDepth" not in header:
        return _refuse(RefusalKind.CORRUPT, "MIG-HEADER-CHECK", "the delegationDepth is missing")
    return None


def _refuse(kind: RefusalKind, rule: str, problem: str, remedy: str = "") -> Refusal:
    return Refusal(kind=kind, rule=rule, where="header", problem=problem, remedy=remedy)
