"""Where a log has to lie, worked out by the words of the rules.

Source: facts persistence §4.1, §4.2.
"""

import re

from dsh_reference.files import Compression
from dsh_spec.values import JsonObject

#: What a name keeps as it is.
_KEPT = re.compile(r"[A-Za-z0-9._-]")
#: How many units of a directory's key are kept.
_LONGEST = 251


def place(header: JsonObject, compression: Compression) -> tuple[str, str, str]:
    """Return the project, the session and the name of a log."""
    cwd, identity = header.get("cwd"), header["id"]
    assert isinstance(identity, str)
    project = "_no-cwd" if cwd is None else f"--{key(str(cwd))}--"
    return project, segment(identity), name(header["version"], compression)


def key(cwd: str) -> str:
    """Return the key of a working directory (FILE-PROJECT-KEY)."""
    folded = re.sub(r"[/\\:]+", "-", cwd)
    return ("".join(map(_spelled, _units(folded))).lstrip("-") or "root")[:_LONGEST]


def segment(identity: str) -> str:
    """Return the directory of a session (FILE-SEGMENT)."""
    if identity.strip(".") == "" and len(identity) <= 2:
        return "~002E" * len(identity)
    return "".join(map(_spelled, _units(identity)))


def name(version: object, compression: Compression) -> str:
    """Return the name of a log (FILE-NAME)."""
    stem = "session" if version == 0 else f"session.v{version}"
    return f"{stem}.jsonl" if compression == "none" else f"{stem}.jsonl.zstd"


def _units(text: str) -> list[int]:
    data = memoryview(text.encode("utf-16-le", "surrogatepass")).cast("H")
    return list(data)


def _spelled(unit: int) -> str:
    return chr(unit) if _KEPT.fullmatch(chr(unit)) else f"~{unit:04X}"
