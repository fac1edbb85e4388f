"""Law: what a model is shown of a log, message by message.

Source: facts surface-repair-fork §2.1 to §2.3, Q11, Q14, Q15.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import evolve
from hypothesis import strategies as st

from dsh_conformance.tracks.core.asking import Asked
from dsh_conformance.tracks.core.claims import claimed
from dsh_conformance.tracks.core.known import messages_of, surface_of
from dsh_conformance.tracks.core.laws.surface import some_logs
from dsh_conformance.tracks.pure.law import Law, Trial
from dsh_conformance.tracks.store.expect import Check, Equals, Lists
from dsh_conformance.tracks.store.picking import reach
from dsh_reference.session import transcript
from dsh_spec.values import Json, JsonObject

DERIVE = "core/derive"


def cases(claims: JsonObject) -> st.SearchStrategy[Asked] | None:
    """Logs of the claimed formats."""
    versions = claimed(claims)
    return some_logs(versions) if versions else None


def check(trial: Trial, asked: Asked) -> None:
    """Derive the messages of a log, and again with every known event marked as ignorable."""
    trial.call(DERIVE, asked.params(), *shown_checks(asked), says=f"derive {asked}")
    marked = tuple({**event, "ignorable": True} for event in asked.events)
    messages = Equals(("messages",), list(messages_of(asked)))
    trial.call(
        DERIVE,
        evolve(asked, events=marked).params(),
        Check("IGN-MEANING", messages),
        says=f"derive {asked}, all of them marked ignorable",
    )


def shown_checks(asked: Asked) -> Iterator[Check]:
    """Give what rules demand of the messages of a log."""
    surface, messages = surface_of(asked), messages_of(asked)
    ids = Lists(("messages",), ("id",), tuple([reach(each, "id")] for each in messages))
    if any(_is_empty(asked.events[seq]) for seq in surface.nodes):
        yield Check("PROJ-EMPTY", ids)
    if not surface.replacements:
        yield Check("PROJ-APPEND-ORIGIN", Lists(("messages",), ("id",), tuple(_appended(asked))))
    yield Check("PROJ-HISTORY", ids)
    if any(seq in surface.projected for seq in surface.nodes):
        flags, whole = "content.*.offloaded", "content"
        for rule, path in (
            ("PROJ-REQUIRED", flags),
            ("PROJ-OFFLOADED", whole),
            ("IMG-EFFECT", whole),
        ):
            values = tuple([reach(each, path)] for each in messages)
            yield Check(rule, Lists(("messages",), (path,), values))
    yield Check("PROJ-VERBATIM", Equals(("messages",), list(messages)))


def _message(event: Json) -> Mapping[str, Any]:
    """Return the message of an event of a surface type; what v0 once was may have none."""
    is_bare = reach(event, "type") == "user/message"
    message = reach(event, "data" if is_bare else "data.message")
    return message if isinstance(message, Mapping) else {}


def _is_empty(event: Json) -> bool:
    """Tell whether the message of an event has no content, or a result none in its block."""
    content: Any = _message(event).get("content")
    return not content or content[0].get("content") == []


def _appended(asked: Asked) -> Iterator[list[Json]]:
    """Give the ids of the messages of the transcript that are shown at all."""
    for event in transcript(asked.events, format=asked.format):
        message = _message(event)
        is_shown = reach(event, "type") in ("user/message", "tool/result")
        if message.get("content") or (message and is_shown):
            yield [message.get("id")]


#: The law.
SHOWN: Law[Asked] = Law(name="derive", cases=cases, check=check, weight=30)
