"""How a log is asked about, and told of to people."""

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from dsh_conformance.generate.formats import Format
from dsh_conformance.implementation.hostile import encode_value
from dsh_spec.values import Json, JsonObject


@frozen(kw_only=True)
class Asked:
    """Events of a format."""

    #: The format.
    format: Format
    #: The events.
    events: tuple[Any, ...]

    def params(self, **more: Any) -> JsonObject:
        """Return the parameters of a request about the events, and *more* of them."""
        return asking(self.format, self.events, **more)

    def __str__(self) -> str:
        return told(self.format, self.events)


def asking(version: Format, events: Sequence[Json], **more: Any) -> JsonObject:
    """Return the parameters of a request about events, and *more* of them."""
    return {"format": version, "events": encode_value(list(events)), **more}


def told(version: Format, events: Sequence[Json]) -> str:
    """Return what the events are, in a few words."""
    count = len(events)
    return f"{'1 event' if count == 1 else f'{count} events'} of v{version}"
