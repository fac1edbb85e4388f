"""What an implementation claims in its answer to ``initialize``."""

from typing import Literal, TypeAlias

from attrs import field, frozen

from dsh_reference.files import Compression
from dsh_spec.catalogue import Format
from dsh_spec.values import JsonObject

#: The artifact encodings that the suite can damage.
Artifacts: TypeAlias = Literal["jsonl", "jsonl.zstd"]


def compression_of(artifacts: Artifacts) -> Compression:
    """Return the encoding as file names have it."""
    return "none" if artifacts == "jsonl" else "zstd"


@frozen(kw_only=True)
class ImplementationInfo:
    """Who answers."""

    #: Its name.
    name: str
    #: Its version.
    version: str
    #: The language that it is written in.
    language: str


@frozen(kw_only=True)
class StoreClaims:
    """The claims of the store track."""

    #: Which store contract it offers.
    seam: Literal["handle", "store"]
    #: The session format that it writes, 0 to 4.
    format: Format
    #: Whether flushed events survive the end of the process.
    durable: bool
    #: Whether a second process is kept from writing a session that is open for writing.
    cross_process_lock: bool
    #: The encoding of the artifact files, where each session has its own file.
    artifacts: Artifacts | None
    #: The older formats that it migrates on open.
    migrates_from: tuple[int, ...] = ()
    #: Whether its files lie where `FILE-LAYOUT` has them: seen (`implementation.places`) and not
    #: claimed, so it is on no wire.
    layout: bool = False


@frozen(kw_only=True)
class Capabilities:
    """All that ``initialize`` answered."""

    #: Who answers.
    implementation: ImplementationInfo
    #: The claims of the store track, where claimed.
    store: StoreClaims | None
    #: The other tracks that it claims, as answered; this suite certifies them in later versions.
    others: JsonObject = field(factory=dict)
    #: Whether the adapter builds values outside JSON.
    hostile_values: bool = False
