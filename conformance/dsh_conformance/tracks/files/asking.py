"""The requests of the track."""

from base64 import b64encode
from collections.abc import Sequence

from dsh_conformance.generate.files import Specimen
from dsh_reference.files import Compression
from dsh_reference.session_log import SessionLog
from dsh_spec.values import Json, JsonObject


def to_read(specimen: Specimen) -> JsonObject:
    """Return the parameters of the request that reads a file."""
    return {
        "format": specimen.format,
        "compression": specimen.compression,
        "base64": b64encode(specimen.data).decode("ascii"),
    }


def to_write(
    log: SessionLog, compression: Compression, batches: Sequence[Sequence[JsonObject]]
) -> JsonObject:
    """Return the parameters of the request that writes a log; marks mean nothing in batches."""
    return {
        "format": log.header["version"],
        "compression": compression,
        "header": log.header,
        "inheritedEventCount": log.inherited,
        "batches": [list(batch) for batch in batches],
    }


def to_place(header: JsonObject, compression: Compression) -> dict[str, Json]:
    """Return the parameters of the request for the place of a log."""
    return {"format": header["version"], "compression": compression, "header": header}
