"""Sabotages: for each rule that a log can break, a core that takes logs which break it."""

from collections.abc import Callable, Mapping
from typing import Any

from dsh_conformance.implementation.backend import Refuse
from dsh_conformance.sabotage.core_wrap import Methods, Raw, WrongCore, named
from dsh_conformance.tracks.core.laws.broken import BROKEN

_METADATA = ("surfaceOp", "sourceEventSeqs")


def _without_the_last(params: Raw) -> Raw:
    return {**params, "events": params["events"][:-1]}


def _event(params: Raw) -> Raw:
    members = {key: params[key] for key in ("type", "time", "data", *_METADATA) if key in params}
    return {"event": {**members, "seq": len(params["events"])}}


def takes(*slugs: str) -> Callable[[Methods], Mapping[str, Any]]:
    """Take what is refused for one of these rules, as if the bad event were not there."""

    def change(right: Methods) -> Mapping[str, Any]:
        instead: dict[str, Callable[[Raw], Any]] = {
            "core/admit": lambda _: {},
            "core/append": _event,
            "core/fold": lambda params: right["core/fold"](_without_the_last(params)),
            "core/seed": lambda params: right["core/seed"](_without_the_last(params)),
        }

        def changed(method: str) -> Callable[[Any], Any]:
            def answer(params: Any) -> Any:
                try:
                    return right[method](params)
                except Refuse as refusal:
                    if refusal.rule not in slugs:
                        raise
                return instead[method](params)

            return answer

        return {method: changed(method) for method in instead}

    return change


#: One for each rule.
TAKING: tuple[WrongCore, ...] = tuple(
    named(
        slug,
        f"core-takes-{slug.lower()}",
        f"What breaks {slug} is taken.",
        takes(slug),
    )
    for slug in sorted(law.name.removeprefix("broken-").upper() for law in BROKEN)
)
