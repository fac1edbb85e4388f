"""Canonical forms: what v3 calls by another name, and what it leaves out."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from dsh_reference.migrate.edit import MESSAGES, Path, Wrong, edit_event
from dsh_reference.migrate.header import PRESETS
from dsh_spec.values import Json, JsonObject, is_object

#: The types that v3 renamed.
_TYPES: Final[Mapping[Json, str]] = MappingProxyType(
    {
        "tool/code-dispatch-start": "tool/ptc-dispatch-start",
        "tool/code-dispatch": "tool/ptc-dispatch",
    }
)
_HEADER: Final[Path] = ("data", "header")
_PRESET: Final[Path] = ("data", "agentPreset")
#: Where the plugin that v3 renamed may be the source of a message.
_SLOTS: Final = frozenset({"user/message", "agent/inbox/spliced", "session/title-llm-request"})
_EMPTY: Final[Mapping[str, Json]] = MappingProxyType({"tools": [], "adapterDefaults": {}})


def canonical(event: JsonObject) -> JsonObject:
    """Return an audited event in the names of v3, but for its references and its prompt.

    Source: MIG23-EMPTY-OPT, MIG23-PTC-TYPES, MIG23-PTC-SOURCE, MIG23-PRESET-EVENT
    (facts: migration §3.3).
    """
    type_ = event["type"]
    edited: JsonObject | Wrong = event
    if type_ in _TYPES:
        edited = {**event, "type": _TYPES[type_]}
    elif type_ in _SLOTS:
        edited = edit_event(event, MESSAGES[type_], _renamed_source, rule="MIG23-PTC-SOURCE")
    elif type_ == "agent-preset/selected":
        edited = edit_event(event, _PRESET, _renamed_preset, rule="MIG23-PRESET-EVENT")
    elif type_ == "request/header":
        edited = edit_event(event, _HEADER, _without_empty, rule="MIG23-EMPTY-OPT")
    assert not isinstance(edited, Wrong), edited
    return edited


def _renamed_source(message: Json) -> Json:
    assert is_object(message)
    source = message["source"]
    assert is_object(source)
    match source:
        case {"kind": "plugin", "plugin": "tools-code-mode"}:
            return {**message, "source": {**source, "plugin": "tools-ptc"}}
    return message


def _renamed_preset(preset: Json) -> Json:
    return PRESETS.get(preset, preset)


def _without_empty(header: Json) -> Json:
    assert is_object(header)
    return {key: value for key, value in header.items() if value or key not in _EMPTY}
