"""Where a log lies: ``<project>/<session>/<log>``, derived from the header alone.

The project directory is a lossy key of the working directory, so two of them may share one.
The session directory is an injective encoding of the id, so two ids never share one, and no id
names a parent, a hidden path, or anything outside its project.
Both walk the string by UTF-16 code unit, as every runtime of the format does.
"""

import re
from typing import Final, Literal, TypeAlias

from dsh_spec.catalogue import Format
from dsh_spec.values import JsonObject

#: How a log's bytes are encoded on disk.
Compression: TypeAlias = Literal["none", "zstd"]

NO_CWD: Final = "_no-cwd"
MAX_KEY: Final = 251
_LITERAL: Final = frozenset(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-",
)
_SEPARATORS: Final = frozenset("/\\:")
_ESCAPE: Final = re.compile(r"~([0-9A-F]{4})")
_LOG_NAME: Final = re.compile(r"session(?:\.v([1-9][0-9]{0,15}))?\.jsonl(\.zstd)?")
_MAX_SAFE: Final = 2**53 - 1


def _units(text: str) -> list[str]:
    """Return the UTF-16 code units of *text*, each as a string of one character."""
    data = text.encode("utf-16-le", "surrogatepass")
    return [chr(data[at] | data[at + 1] << 8) for at in range(0, len(data), 2)]


def _escape(unit: str) -> str:
    return unit if unit in _LITERAL else f"~{ord(unit):04X}"


def project_key(cwd: str) -> str:
    """Return the key of a working directory, at most 251 characters.

    Each run of separators becomes one ``-``; leading ones are dropped, and nothing left is
    ``root``.
    Truncation may cut an escape in half: the key is never decoded.
    (FILE-PROJECT-KEY; facts: persistence §4.1.)
    """
    parts: list[str] = []
    previous_separates = False
    for unit in _units(cwd):
        separates = unit in _SEPARATORS
        if not separates:
            parts.append(_escape(unit))
        elif not previous_separates:
            parts.append("-")
        previous_separates = separates
    return ("".join(parts).lstrip("-") or "root")[:MAX_KEY]


def project_directory(cwd: str | None) -> str:
    """Return the name of the directory that holds the sessions of *cwd*."""
    return NO_CWD if cwd is None else f"--{project_key(cwd)}--"


def encode_segment(text: str) -> str:
    """Encode a non-empty string as one safe path segment, injectively (FILE-SEGMENT).

    The result may be too long for a file system: that refusal is the file system's.
    """
    if not text:
        msg = "an empty string has no path segment"
        raise ValueError(msg)
    if text in {".", ".."}:
        return "~002E" * len(text)
    return "".join(map(_escape, _units(text)))


def decode_segment(segment: str) -> str | None:
    """Return the string that `encode_segment` made *segment* of; ``None`` where there is none."""
    joined = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), segment)
    text = joined.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return text if text and encode_segment(text) == segment else None


def log_name(version: int, compression: Compression) -> str:
    """Return the file name of a log of format *version*: no number for version 0 (FILE-NAME)."""
    generation = f".v{version}" if version else ""
    suffix = ".zstd" if compression == "zstd" else ""
    return f"session{generation}.jsonl{suffix}"


def parse_log_name(name: str) -> tuple[int, Compression] | None:
    """Return the version and the encoding that a file name states; ``None`` for any other file.

    Only the canonical spelling counts: no ``.v0``, no leading zero, no upper case, no ``.tmp``.
    """
    match = _LOG_NAME.fullmatch(name)
    if match is None or int(match[1] or 0) > _MAX_SAFE:
        return None
    return int(match[1] or 0), "zstd" if match[2] else "none"


def log_path(
    header: JsonObject,
    compression: Compression,
    format: Format | None = None,  # noqa: A002 - the word for it
) -> str:
    """Return the path of the log of a checked *header*, relative to the root (FILE-LAYOUT).

    With a *format* it is that of the session's log of this format, which lies beside the other.
    """
    cwd, identity, version = header.get("cwd"), header["id"], header["version"]
    assert isinstance(identity, str)
    assert isinstance(version, int)
    assert cwd is None or isinstance(cwd, str)
    version = version if format is None else format
    name = log_name(version, compression)
    return f"{project_directory(cwd)}/{encode_segment(identity)}/{name}"
