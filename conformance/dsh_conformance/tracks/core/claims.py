"""What an implementation claims of the track."""

from typing import cast

from hypothesis import strategies as st

from dsh_conformance.generate.formats import FORMATS, Format
from dsh_spec.values import Json, JsonObject

#: The format whose stored logs are judged as they are; an older one is judged where it migrates.
NEWEST: Format = 4


def claimed(claims: JsonObject, *, since: int = 0, until: int = NEWEST) -> tuple[Format, ...]:
    """Return the claimed formats, the newest first, within bounds."""
    found: Json = claims.get("formats")
    if not isinstance(found, list | tuple):
        return ()
    mine = cast("list[Json]", found)
    return tuple(each for each in FORMATS[::-1] if each in mine and since <= each <= until)


def one_of(versions: tuple[Format, ...]) -> st.SearchStrategy[Format]:
    """Choose a claimed format, the newest every second time."""
    return st.sampled_from((*versions, *(versions[0],) * (len(versions) - 2)))
