"""What plugin payloads of formats v0 to v2 can get wrong beyond the kinds of their fields."""

from typing import Any

from dsh_spec.events import v2
from dsh_spec.events import v4_delegation as delegation
from dsh_spec.events import v4_interaction as interaction
from dsh_spec.events import v4_model as model
from dsh_spec.events import v4_session as session
from dsh_spec.events.declared import is_bare, is_instant
from dsh_spec.events.exact_messages import Place, check_goal, demand
from dsh_spec.events.record import Body

#: What a timer can wait at most, in ms.
_LONGEST_DELAY = 2**31 - 1
#: The fields that say when a schedule of a kind is due.
_WHEN = {"after": "after_seconds", "at": None, "every": "every_seconds"}


def check_plugin(body: Body, data: Any, seq: int) -> None:
    """Refuse a plugin's payload whose fields do not go together, or that cites a later event.

    ``data`` is what it was read from, ``seq`` the place of its event in the log.
    """
    _check_citing(body, seq)
    match body:
        case model.LlmRetry():
            _check_retry(body)
        case interaction.HookResult(duration_ms=duration):
            demand(duration >= 0, "must not be negative", "data", "durationMs")
        case interaction.GoalChange():
            check_goal(data, ("data",))
        case interaction.ScheduleChange():
            _check_schedules(body)
        case delegation.SubagentDescriptor():
            _check_descriptor(body)
        case delegation.SubagentModelSelectionPolicy(allowed_models=models):
            routes = {(each.provider, each.model) for each in models}
            problem = "must list at least one model, and each once"
            demand(0 < len(routes) == len(models), problem, "data", "allowedModels")
        case v2.WebSearchLlmRequest(body=sent):
            _check_search(sent)


def _check_citing(body: Body, seq: int) -> None:
    """Check the payloads that cite other events."""
    match body:
        case model.CompactionSummary():
            _check_shadow(body, seq)
            raw = body.raw_output is not None or not body.llm_stream_call
            demand(raw, "is missing", "data", "rawOutput", rule="PL-SUMMARY-RAW")
        case model.CompactionPrune():
            _check_shadow(body, seq)
        case interaction.CommandDone(source_event_seq=cited):
            earlier = cited is None or cited < seq
            demand(earlier, f"must be a seq below {seq}", "data", "sourceEventSeq")
        case session.SessionTitle(message_seqs=seqs, source=source):
            check_seqs(seqs, seq, ("data", "messageSeqs"))
            _check_title_source(source)


def check_seqs(seqs: tuple[int, ...], seq: int, place: Place, rule: str = "PL-EXACT") -> None:
    """Refuse a list of seqs that names one twice, or one that is not earlier."""
    demand(len(set(seqs)) == len(seqs), "must name each seq once", *place, rule=rule)
    for index, cited in enumerate(seqs):
        demand(cited < seq, f"must be a seq below {seq}", *place, index, rule=rule)


def check_failure(failure: model.LlmFailure, place: Place) -> None:
    """Refuse a failure with a status that HTTP does not have, or a wait of no time."""
    status, wait = failure.status, failure.provider_retry_after_ms
    in_range = status is None or 100 <= status <= 599
    demand(in_range, "must be 100 to 599", *place, "status")
    demand(wait is None or wait > 0, "must be positive", *place, "providerRetryAfterMs")


def _check_shadow(body: model.CompactionSummary | model.CompactionPrune, seq: int) -> None:
    shadow, ends = body.shadowed_seqs, body.shadowed_range
    demand(shadow, "must not be empty", "data", "shadowedSeqs")
    check_seqs(shadow, seq, ("data", "shadowedSeqs"))
    same = (ends.start, ends.end) == (shadow[0], shadow[-1])
    problem = "must be the first and the last of shadowedSeqs"
    demand(same, problem, "data", "shadowedRange", rule="PL-SHADOW-ENDPOINTS")


def _check_retry(body: model.LlmRetry) -> None:
    wait, failure, most = body.delay_ms, body.failure, body.max_retries
    assert wait is not None
    assert failure is not None
    demand(0 <= wait <= _LONGEST_DELAY, "must be 0 to 2^31-1", "data", "delayMs")
    check_failure(failure, ("data", "failure"))
    problem = "goes with the mode normal, which always has it"
    bounded = (most is not None) == (body.mode == "normal")
    demand(bounded, problem, "data", "maxRetries", rule="PL-RETRY-MODE")
    within = most is None or body.retry <= most
    demand(within, "must be at most maxRetries", "data", "retry", rule="PL-RETRY-MODE")


def _check_schedules(body: interaction.ScheduleChange) -> None:
    said = {name for name in ("schedule", "id", "accepted_at") if getattr(body, name) is not None}
    required = {"schedule"} if body.operation == "create" else {"id"}
    allowed = required | ({"accepted_at"} if body.operation == "dispatch" else set())
    problem = f"must have what goes with the operation {body.operation}, and no more"
    demand(required <= said <= allowed, problem, "data")
    demand(body.id is None or is_bare(body.id), "must not begin or end with space", "data", "id")
    accepted = body.accepted_at is None or is_instant(body.accepted_at)
    demand(accepted, "must be a canonical UTC instant", "data", "acceptedAt")
    if body.schedule is not None:
        _check_schedule(body.schedule)


def _check_schedule(schedule: interaction.Schedule) -> None:
    place = ("data", "schedule")
    demand(is_bare(schedule.id), "must not begin or end with space", *place, "id")
    instant = is_instant(schedule.scheduled_at)
    demand(instant, "must be a canonical UTC instant", *place, "scheduledAt")
    said = {name for name in _WHEN.values() if name and getattr(schedule, name) is not None}
    due = {_WHEN[schedule.kind]} - {None}
    demand(said == due, f"must have what goes with the kind {schedule.kind}, and no more", *place)
    every = schedule.every_seconds
    demand(every is None or every >= 300, "must be at least 300", *place, "everySeconds")


def _check_title_source(source: session.TitleSource) -> None:
    place = ("data", "source")
    by_provider = source.kind == "provider"
    problem = "goes with the kind provider, which always has it"
    demand((source.provider is not None) == by_provider, problem, *place, "provider")
    demand(by_provider or source.model is None, "goes with the kind provider", *place, "model")


def _check_descriptor(body: delegation.SubagentDescriptor) -> None:
    more = (
        body.agent_provider,
        body.agent_model,
        body.agent_reasoning_effort,
        body.persona,
        body.tool_filter,
    )
    if body.mode == "one-shot":
        plain = all(each is None for each in more)
        demand(plain, "must have no more than a label in the mode one-shot", "data")
        return
    demand(body.label, "must be a non-empty string", "data", "label")
    paired = (body.agent_provider is None) == (body.agent_model is None)
    demand(paired, "must have agentProvider and agentModel together", "data")
    shown = body.tool_filter
    some = shown is None or shown.allow is not None or shown.deny is not None
    demand(some, "must have allow or deny", "data", "toolFilter")


def _check_search(sent: v2.WebSearchBody) -> None:
    place = ("data", "body")
    demand(len(sent.messages) == 1, "must be one message", *place, "messages")
    one = len(sent.messages[0].content) == 1
    demand(one, "must be one text", *place, "messages", 0, "content")
    demand(len(sent.tools) == 1, "must be one tool", *place, "tools")
