"""Retries of failed model calls: chains of announcements, each started at most once."""

from attrs import field, frozen

from dsh_reference.admit.log import Broken, Entry, Log, broken
from dsh_spec.events import Event, LlmRetry, LlmRetryStarted, RequestHeader

#: What makes retries one chain: turn, step, provider and policy key.
_Key = tuple[int, int, str, str | None]


@frozen(kw_only=True)
class _Chains:
    """The chains of a log, as far as it has come; the fold adds to them in place."""

    #: The id and the last number of each chain.
    chains: dict[_Key, tuple[str, int]] = field(factory=dict)
    #: The chain of each id.
    owners: dict[str, _Key] = field(factory=dict)
    #: The turn and step of each announced retry, by id and number.
    announced: dict[tuple[str, int], tuple[int, int]] = field(factory=dict)
    #: The retries that were started.
    started: set[tuple[str, int]] = field(factory=set)


def check_retries(log: Log) -> Broken | None:
    """Hold every retry to its place, its chain and its announcement.

    Source: the rules of the functions below (facts: events §9).
    """
    chains = _Chains()
    provider: str | None = None
    for entry in log.entries:
        wrong = None
        match entry.event.data:
            case RequestHeader(header=header):
                provider = header.config.provider
            case LlmRetry() as body:
                wrong = _check_place(entry, body, provider) or _announce(entry.event, body, chains)
            case LlmRetryStarted() as body:
                wrong = _start(entry.event, body, chains)
        if wrong is not None:
            return wrong
    return None


def _check_place(entry: Entry, body: LlmRetry, provider: str | None) -> Broken | None:
    """REL-RETRY-COORD."""
    place = entry.place
    step = place.last_step if place.step is None else place.step
    if (body.turn, body.step) != (place.turn, step):
        return broken(entry.event, "REL-RETRY-COORD", "it is not for the current turn and step")
    if body.provider != provider:
        return broken(entry.event, "REL-RETRY-COORD", "its provider is not the header's")
    return None


def _announce(event: Event, body: LlmRetry, chains: _Chains) -> Broken | None:
    """REL-RETRY-CHAIN."""
    key = (body.turn, body.step, body.provider, body.policy_key)
    retry_id, last = chains.chains.get(key, (body.retry_id, 0))
    if body.retry != last + 1:
        return broken(event, "REL-RETRY-CHAIN", f"retry {body.retry} follows retry {last}")
    if body.retry_id != retry_id or chains.owners.setdefault(retry_id, key) != key:
        return broken(event, "REL-RETRY-CHAIN", f"the id {body.retry_id!r} is not this chain's")
    chains.chains[key] = (retry_id, body.retry)
    chains.announced[retry_id, body.retry] = (body.turn, body.step)
    return None


def _start(event: Event, body: LlmRetryStarted, chains: _Chains) -> Broken | None:
    """REL-RETRY-START."""
    retry = (body.retry_id, body.retry)
    if chains.announced.get(retry) != (body.turn, body.step):
        return broken(event, "REL-RETRY-START", "no such retry was announced")
    if retry in chains.started:
        return broken(event, "REL-RETRY-START", "this retry was started already")
    chains.started.add(retry)
    return None
