"""Why a value does not fit a class, and where in it."""

from typing import Any

from attrs import fields_dict
from cattrs import ClassValidationError

from dsh_spec.events.kinds import Misfit
from dsh_spec.events.record import json_name
from dsh_spec.events.shape_error import ShapeError, Step, shape_error


class AtIndexError(Exception):
    """An item of a list does not fit."""

    def __init__(self, index: int, cause: Exception) -> None:
        super().__init__(index, cause)
        self.index = index
        self.cause = cause


#: What reading a value raises when the value does not fit.
MISFITS = (Misfit, AtIndexError, ClassValidationError)


def explain(
    error: Exception, *, rule: str, steps: tuple[Step, ...] = (), narrow: bool = True
) -> ShapeError:
    """Follow an error of reading down to the first value that does not fit.

    The innermost class that names a rule for its fields says which one is broken, ``rule`` says it
    where none does or where none shall (not *narrow*); ``steps`` lead to the value that was read.
    """
    path = list(steps)
    while not isinstance(error, (Misfit, KeyError)):
        if isinstance(error, AtIndexError):
            path.append(error.index)
            error = error.cause
        elif isinstance(error, ClassValidationError):
            cls: Any = error.cl
            error, note = error.group_exceptions()[0][0]
            if narrow:
                rule = getattr(cls, "RULES", {}).get(note.name, getattr(cls, "RULE", rule))
            path.append(json_name(fields_dict(cls)[note.name]))
        else:
            raise error
    problem = "is missing" if isinstance(error, KeyError) else f"must be {error}"
    return shape_error(rule, path, problem)
