"""The configuration of a built-in backend: a few named options, and nothing else."""

from collections.abc import Mapping, Sequence

from dsh_conformance.implementation.backend import Refuse
from dsh_spec.refusals import RefusalKind


def options(backend: str, config: Mapping[str, str], **known: Sequence[str]) -> Mapping[str, str]:
    """Return the value of each known option, by default its first choice; refuse anything else."""
    for name, value in config.items():
        if value not in known.get(name, ()):
            choices = ", ".join(f"{key}={'|'.join(values)}" for key, values in known.items())
            problem = f"{backend} has no option {name}={value}; it has {choices or 'none'}"
            raise Refuse(RefusalKind.INVALID_ARGUMENT, problem)
    return {name: config.get(name, choices[0]) for name, choices in known.items()}
