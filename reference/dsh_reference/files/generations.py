"""Which of the files in a session's directory is the session.

A directory may hold a log of several formats: a migration leaves the older one where it is.
The highest version is the session, readable or not; no older log stands in for it.
"""

from collections.abc import Iterable

from attrs import frozen

from dsh_reference.files.names import Compression, parse_log_name
from dsh_reference.header import VERSION
from dsh_reference.refusal import Refusal
from dsh_spec.catalogue import Format
from dsh_spec.refusals import RefusalKind


@frozen(kw_only=True)
class Generation:
    """One log among the files of a session."""

    #: The name of the file.
    name: str
    #: The format that the name states, which has to be that of the header (ROW-ONE-VERSION).
    format: Format
    #: The encoding that the name states.
    compression: Compression


def select_generation(names: Iterable[str]) -> Generation | Refusal | None:
    """Return the log among the *names* of a directory's files; ``None`` where there is none.

    Files of other names are nothing to a reader (FILE-NAME, FILE-FOREIGN-NAMES).
    The highest version wins (STORE-NEWEST-GENERATION-WINS).
    The refusal's kind is ``unsupported-format``: for logs in both encodings (FILE-ONE-ENCODING),
    and for a highest version beyond the newest format, even beside an older log
    (HDR-VERSION-FIRST).
    Source: facts, persistence §4.2, §4.7, §4.8, migration §6 (probed on 0.2.1rc2).
    """
    logs = sorted(
        (*parsed, name) for name in set(names) if (parsed := parse_log_name(name)) is not None
    )
    if not logs:
        return None
    if len({compression for _, compression, _ in logs}) > 1:
        problem = "the directory has plain and compressed logs of one session"
        return _refused("FILE-ONE-ENCODING", "directory", problem)
    version, compression, name = logs[-1]
    formats: tuple[Format, ...] = (0, 1, 2, 3, 4)
    if version > VERSION:
        problem = f"the log is of format v{version}, newer than v{VERSION}"
        remedy = "Open it with a newer build."
        return _refused("HDR-VERSION-FIRST", name, problem, remedy)
    return Generation(name=name, format=formats[version], compression=compression)


def _refused(rule: str, where: str, problem: str, remedy: str = "") -> Refusal:
    return Refusal(
        kind=RefusalKind.UNSUPPORTED_FORMAT,
        rule=rule,
        where=where,
        problem=problem,
        remedy=remedy,
    )
