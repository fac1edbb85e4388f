"""Sources: what a message came from is named after its producer, and no longer after a plugin."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from dsh_reference.migrate.edit import Wrong
from dsh_spec.values import Json, is_object

_RULE: Final = "MIG34-SOURCES"
_PROMPT: Final = "@deepseek-ai/dsh-system-prompt"
_RENAMED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "compact": "compact-checkpoint",
        "tools-code-mode": "ptc-mode",
        "tools-ptc": "ptc-mode",
        "dsh-compaction-basic": "compact-basic",
    }
)
_KEPT: Final = frozenset(
    {
        "agent-instructions",
        "session-reference",
        "team-message",
        "goal",
        "skill-invocation",
        "skill-catalog",
        "coordinator",
        "subagent-report",
        "subagent-settled",
        "webhook",
        "agent-message",
        "model-selection",
        "plan-mode",
        "time-context",
        "tmux-context",
        "user-approval",
        "repeat-tool-reminder",
        "tool-cordis",
        "cordis-host-runner",
        "tool-goal",
        "tool-jobs",
        "hooks-codex",
        "hooks-claude-code",
        "schedule",
        "dsh-session-title-llm",
    }
)


def kind_of(plugin: str, role: Json) -> str:
    """Return the kind of source that a plugin's messages of a role have in v4.

    Source: MIG34-KINDS (facts: migration §4.2).
    """
    if plugin == _PROMPT:
        return "system-prompt" if role == "system" else "runtime-context"
    return _RENAMED.get(plugin) or (plugin if plugin in _KEPT else f"plugin:{plugin}")


def with_producer(message: Json) -> Json | Wrong:
    """Return a message whose source is named after its producer.

    One without an object for a source is left to the target check.

    Source: MIG34-SOURCES (facts: migration §4.2).
    """
    if not is_object(message):
        return Wrong(rule=_RULE, problem="a message of it is no object")
    source = message.get("source")
    if not is_object(source):
        return message
    match source:
        case {"kind": "plugin", "plugin": str(plugin)}:
            kept = {key: source[key] for key in source if key not in ("kind", "plugin")}
            return {**message, "source": {"kind": kind_of(plugin, message.get("role")), **kept}}
        case {"kind": "plugin"}:
            return Wrong(rule=_RULE, problem="a source of the kind 'plugin' names no plugin")
        case {"kind": str(kind)} if kind:
            return message
    return Wrong(rule=_RULE, problem="a source of it has no kind")
