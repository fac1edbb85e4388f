"""What a storage offers, so that `store.SeamStore` can make a whole backend of it.

A storage holds logs and knows nothing of repair: it says where a torn tail begins and cuts it off
when told to.
"""

from collections.abc import Sequence
from typing import Final, Protocol

from attrs import frozen

from dsh_conformance.implementation.capabilities import StoreClaims
from dsh_spec.values import Json, JsonObject

#: The format that these backends write.
FORMAT: Final = 0


@frozen(kw_only=True)
class StoredLog:
    """A log as it is stored."""

    #: The logical header.
    header: JsonObject
    #: The events of the valid prefix, freshly parsed.
    events: tuple[JsonObject, ...]
    #: A string that changes whenever the stored log does.
    revision: str
    #: What the storage needs to go on from here, a torn tail included.
    end: object
    #: Whether there is a torn tail.
    torn: bool = False


class SeamStorage(Protocol):
    """A place for logs; a session is named by its *key*, the id as one path segment."""

    @property
    def claims(self) -> StoreClaims:
        """What it promises."""

    def stored_keys(self) -> Sequence[str]:
        """Return the keys under which something is stored."""

    def exists(self, key: str) -> bool:
        """Whether anything is stored under the key, readable or not."""

    def snapshot(self, key: str) -> tuple[JsonObject, str] | None:
        """Return header and revision; raises `Refuse` when the header cannot be read."""

    def load(self, key: str) -> StoredLog | None:
        """Return the stored log; raises `Refuse` for committed damage."""

    def publish(self, key: str, header: JsonObject, events: Sequence[JsonObject]) -> object:
        """Store a new session with its first batch, at once or not at all; return its end."""

    def append(self, key: str, end: object, events: Sequence[Json]) -> object:
        """Append to the log that ends at *end*, durably; return the new end.

        A torn tail is cut off first.  Raises `Refuse` when the log does not end there any more.
        """

    def locate(self, key: str, /) -> str | None:
        """Return the path of the session's own artifact file, where it has one."""

    def close(self) -> None:
        """Let go of files and connections."""
