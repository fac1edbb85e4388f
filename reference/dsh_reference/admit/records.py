"""Commands, titles, deliveries and catalogues: small records that name others."""

from collections.abc import Sequence

from dsh_reference.admit.log import Broken, Log, broken
from dsh_reference.header import VERSION
from dsh_spec.events import (
    CommandDone,
    CommandRun,
    DeliveryAccepted,
    Event,
    SessionTitle,
    SessionTitleLlmRequest,
    SubagentCatalog,
    UserMessage,
)


def check_commands(log: Log) -> Broken | None:
    """Hold every finished command to a run of it, and its effect to an earlier event.

    Source: REL-COMMAND (facts: events §9).
    """
    runs: set[str] = set()
    for entry in log.entries:
        event = entry.event
        match event.data:
            case CommandRun(command_id=command):
                if command in runs:
                    return broken(event, "REL-COMMAND", f"command {command!r} was run already")
                runs.add(command)
            case CommandDone(command_id=command) if command not in runs:
                return broken(event, "REL-COMMAND", f"command {command!r} was never run")
            case CommandDone(kind=kind, source_event_seq=int(source)):
                if kind != "success" or not _is_effect(source, event, log):
                    return broken(event, "REL-COMMAND", f"event {source} is not its effect")
    return None


def _is_effect(source: int, event: Event, log: Log) -> bool:
    if source >= event.seq:
        return False
    return not isinstance(log.event(source).data, CommandRun | CommandDone)


def check_titles(log: Log) -> Broken | None:
    """Hold every title, and every request for one, to the messages of the user that it cites.

    Source: REL-TITLE, REL-TITLE-REQUEST (facts: events §9).
    """
    for entry in log.entries:
        event = entry.event
        match event.data:
            case SessionTitle(message_seqs=seqs, source=source):
                if (seqs == ()) != (source.kind == "user"):
                    return broken(event, "REL-TITLE", "only a title of the user's cites nothing")
                if not _are_said(seqs, event, log):
                    return broken(event, "REL-TITLE", "it cites what no user said before")
            case SessionTitleLlmRequest(message_seqs=seqs) if not _are_said(seqs, event, log):
                return broken(event, "REL-TITLE-REQUEST", "it cites what no user said before")
    return None


def _are_said(seqs: Sequence[int], event: Event, log: Log) -> bool:
    return len(set(seqs)) == len(seqs) and all(
        seq < event.seq and _is_said(log.event(seq)) for seq in seqs
    )


def _is_said(event: Event) -> bool:
    return isinstance(event.data, UserMessage) and event.data.message.source.kind == "user"


def check_deliveries(log: Log) -> Broken | None:
    """Hold every delivery record of this format to this session.

    One that was inherited from another session may name that one.

    Source: DELIV-OWNER (facts: events §4.9).
    """
    for entry in log.entries:
        match entry.event.data:
            case DeliveryAccepted(session_format_version=version, session_id=session):
                is_foreign = entry.event.seq < log.inherited and "parentSession" in log.header
                if version == VERSION and session != log.header["id"] and not is_foreign:
                    return broken(entry.event, "DELIV-OWNER", "it names another session")
    return None


def check_catalogue(log: Log) -> Broken | None:
    """Hold the session's own catalogue of children to one well-formed entry a child.

    Source: CATALOG-SHAPE, CATALOG-UNIQUE (facts: events §4.10).
    """
    children: set[str] = set()
    for entry in log.entries[log.inherited :]:
        event = entry.event
        if event.type != "subagent/catalog":
            continue
        if not isinstance(event.data, SubagentCatalog):
            return broken(event, "CATALOG-SHAPE", "it is no entry of a known version")
        if event.data.child_id in children:
            return broken(event, "CATALOG-UNIQUE", f"child {event.data.child_id!r} is listed twice")
        children.add(event.data.child_id)
    return None
