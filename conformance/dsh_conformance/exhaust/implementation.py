"""Who can be exhausted: the reference, or what answers over the adapter protocol."""

import tempfile
import weakref
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from dsh_conformance.exhaust.look import UNASKED, Ask
from dsh_conformance.implementation.backend import Refuse
from dsh_conformance.implementation.connection import Launcher
from dsh_conformance.implementation.outcome import Diagnosis, Fault, Ok, Outcome, Refused
from dsh_conformance.implementation.reference_core import CORE_METHODS
from dsh_conformance.tracks.core.claims import NEWEST, claimed
from dsh_conformance.tracks.core.methods import answered
from dsh_spec.values import JsonObject

#: Finds the implementation, once in each process.
Find: TypeAlias = Callable[[], Ask]


def reference() -> Ask:
    """Return the reference."""
    return ask_reference


def ask_reference(method: str, params: JsonObject) -> Outcome:
    """Answer as the reference does."""
    try:
        return Ok(CORE_METHODS[method](params))
    except Refuse as refusal:
        return Refused(kind=refusal.kind, message=str(refusal), rule=refusal.rule)


def connected(find: Callable[[], Launcher]) -> Ask:
    """Start an implementation, which ends with this process; raises `Fault`."""
    directory = tempfile.TemporaryDirectory(prefix="dsh-exhaust-")
    connection = find().launch(Path(directory.name))
    weakref.finalize(connection, directory.cleanup)
    claims = connection.capabilities.others.get("core")
    if not isinstance(claims, Mapping) or NEWEST not in claimed(claims):
        connection.kill()
        what = "it claims no core of format 4, and nothing else can be exhausted"
        raise Fault(Diagnosis(blame="suite", what=what))
    methods = answered(claims)
    return lambda method, params: (
        connection.call(method, params) if method in methods else Ok(UNASKED)
    )
