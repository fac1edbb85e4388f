"""The configuration of a built-in backend: a few named options, and nothing else."""

from collections.abc import Mapping, Sequence
from typing import Final

from dsh_conformance.implementation.backend import Refuse
from dsh_reference.header import VERSION
from dsh_spec.catalogue import Format
from dsh_spec.refusals import RefusalKind

#: The formats in which the backends offer the handle seam.
FORMATS: Final = ("4", "3")


def format_named(text: str) -> Format:
    """Return the format that an option names."""
    return 3 if text == "3" else VERSION


def options(backend: str, config: Mapping[str, str], **known: Sequence[str]) -> Mapping[str, str]:
    """Return the value of each known option, by default its first choice; refuse anything else."""
    for name, value in config.items():
        if value not in known.get(name, ()):
            choices = ", ".join(f"{key}={'|'.join(values)}" for key, values in known.items())
            problem = f"{backend} has no option {name}={value}; it has {choices or 'none'}"
            raise Refuse(RefusalKind.INVALID_ARGUMENT, problem)
    return {name: config.get(name, choices[0]) for name, choices in known.items()}
