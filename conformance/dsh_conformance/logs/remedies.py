"""What would mend a log, by what is wrong with it."""

from dsh_reference.refusal import Refusal
from dsh_spec.refusals import RefusalKind

_OLDER = "Keep the file and open it with a build that writes its format; this log has no way to v4."


def remedy(refusal: Refusal, version: int | None) -> str:
    """Return one sentence that says what to do about a refused log of a format."""
    match refusal.kind:
        case RefusalKind.UNSUPPORTED_FORMAT if refusal.rule in ("INV-VOCAB", "IGN-RETIRED-PTC"):
            return "Open it with the build, or with the plugin, that wrote it."
        case RefusalKind.UNSUPPORTED_FORMAT:
            return "Open it with a build that knows its format."
        case RefusalKind.UNSUPPORTED_MIGRATION:
            return _OLDER
        case RefusalKind.IO:
            return "Name a readable file that holds a session log."
        case RefusalKind.OTHER:
            return "Read it with a tool of larger limits, if it is what it claims to be."
    if refusal.where.startswith("event ") and version is not None:
        before = int(refusal.where.split()[1]) - 1
        if before >= 0:
            return f"Restore the log from a copy, or fork it at seq {before} to go on before that."
    return "Restore the log from a copy; nothing in it says what stood there."
