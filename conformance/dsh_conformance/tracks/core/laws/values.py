"""Law: which values are JSON, and that they come back as they were.

Source: facts events §8.
"""

from collections.abc import Iterator
from typing import Any

from attrs import frozen
from hypothesis import strategies as st

from dsh_conformance.generate.formats import Format
from dsh_conformance.generate.payloads import LEAVES, payloads
from dsh_conformance.implementation.hostile import encode_value
from dsh_conformance.tracks.core.claims import claimed, one_of
from dsh_conformance.tracks.pure.law import Law, Trial
from dsh_conformance.tracks.store.expect import Accepted, Check, Equals
from dsh_spec.values import Json, JsonObject

#: What is only of numbers, or only of texts, tells whose rule it is that breaks.
_NUMBERS = st.sampled_from([leaf for leaf in LEAVES if isinstance(leaf, bool | int | float)])
_TEXTS = st.sampled_from([leaf for leaf in LEAVES if isinstance(leaf, str)])


@frozen(kw_only=True)
class Case:
    """A value for a session of a format."""

    #: The format.
    format: Format
    #: The value.
    value: Any


@st.composite
def _cases(draw: st.DrawFn, versions: tuple[Format, ...]) -> Case:
    version = draw(one_of(versions))
    leaves = st.sampled_from(LEAVES)
    objects = st.dictionaries(st.text(max_size=3), leaves, max_size=4)
    value = draw(st.one_of(payloads(), leaves, st.lists(_NUMBERS), st.lists(_TEXTS), objects))
    return Case(format=version, value=value)


def cases(claims: JsonObject) -> st.SearchStrategy[Case] | None:
    """Values."""
    versions = claimed(claims)
    return _cases(versions) if versions else None


def check(trial: Trial, case: Case) -> None:
    """Give a value, and look at the copy."""
    params = {"format": case.format, "value": encode_value(case.value)}
    trial.call("core/json", params, *_checks(case.value), says="give a value")


def _checks(value: Any) -> Iterator[Check]:
    yield Check("JSON-ACCEPT", Accepted())
    same = Equals(("value",), value)
    leaves = list(_leaves(value))
    if leaves and all(isinstance(leaf, bool | int | float) for leaf in leaves):
        yield Check("JSON-NUM", same)
    if leaves and all(isinstance(leaf, str) for leaf in leaves):
        yield Check("JSON-UTF16", same)
    yield Check("JSON-ACCEPT", same)


def _leaves(value: Json) -> Iterator[Json]:
    if isinstance(value, dict):
        yield from value
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    else:
        yield value


#: The law.
VALUES: Law[Case] = Law(name="json", cases=cases, check=check, weight=15)
