"""What an implementation claims of the track."""

from typing import cast

from dsh_conformance.generate.formats import Past
from dsh_conformance.tracks.migration.history import NEWEST
from dsh_spec.values import Json, JsonObject

#: The older formats.
OLD: tuple[Past, ...] = (0, 1, 2, 3)

#: The member of the claims that names the formats with packed rows whose files are read too.
PACKING = "packing"


def claimed(claims: JsonObject) -> tuple[Past, ...]:
    """Return the older formats from which an implementation migrates, none to another than v4."""
    found: Json = claims.get("from")
    if claims.get("to") != NEWEST or not isinstance(found, list | tuple):
        return ()
    return tuple(version for version in OLD if version in cast("list[Json]", found))
