"""What the model answers where the suite wrote the question so that there is an answer."""

from typing import TypeVar

from dsh_conformance.tracks.core.asking import Asked
from dsh_reference.closers import closers_of
from dsh_reference.refusal import Refusal
from dsh_reference.session import Folded, derive, fold
from dsh_spec.texts import Cause
from dsh_spec.values import Json, JsonObject

_Answer = TypeVar("_Answer")


def known(answer: _Answer | Refusal) -> _Answer:
    """Return an answer that is none of refusal."""
    if isinstance(answer, Refusal):
        problem = f"the suite asked for what its model refuses: {answer}"
        raise AssertionError(problem)
    return answer


def surface_of(asked: Asked) -> Folded:
    """Return the surface of a log that has one."""
    return known(fold(asked.events, format=asked.format))


def messages_of(asked: Asked) -> tuple[Json, ...]:
    """Return the messages of a log that has a surface."""
    return known(derive(asked.events, format=asked.format))


def closers_for(asked: Asked, cause: Cause = "interrupted") -> tuple[JsonObject, ...]:
    """Return the closers of a log."""
    return closers_of(asked.events, format=asked.format, cause=cause)


def folded(surface: Folded) -> dict[str, Json]:
    """Return a surface as ``core/fold`` answers it."""
    replacements: list[Json] = [
        {"seq": r.seq, "start": r.start, "end": r.end, "shadowedSeqs": list(r.shadowed_seqs)}
        for r in surface.replacements
    ]
    return {"nodes": list(surface.nodes), "replacements": replacements}
