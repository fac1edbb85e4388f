"""A whole session log as a value, of whatever format its header names."""

from typing import cast

from attrs import frozen

from dsh_spec.catalogue import Format
from dsh_spec.values import JsonObject


@frozen(kw_only=True)
class SessionLog:
    """A log, read from wherever it lay; its events are logical ones.

    Logical means that nothing of a file's encoding is left in them: a packed row stands as the
    chunk events that it holds, and a range of seqs as its members.
    """

    #: The logical header; its ``version`` is the format.
    header: JsonObject
    #: How many leading events were inherited from a parent.
    inherited: int
    #: The events, in order; the seq of each is its position.
    events: tuple[JsonObject, ...]

    @property
    def format(self) -> Format:
        """The format of the log, which its header names."""
        version = self.header["version"]
        assert version in (0, 1, 2, 3, 4)
        return cast("Format", version)
