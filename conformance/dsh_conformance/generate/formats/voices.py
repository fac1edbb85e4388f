"""What messages of the older formats say, and who says it.

Sources: facts events §5.4 and §5.5; rules BLOCK-EXACT, MIG23-CONTENT, MIG23-SOURCES, SRC-FORM,
SRC-SESSIONREF, MIG34-KINDS.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from dsh_conformance.generate.formats.options import optional
from dsh_conformance.generate.formats.state import Past
from dsh_conformance.generate.payloads import obj, payload
from dsh_conformance.generate.state import Raw
from dsh_conformance.generate.strings import IDS, NAMES, TEXTS
from dsh_conformance.generate.tape import Tape
from dsh_conformance.generate.voice import CONTENTS, Voice, file, picture, text, words

_Make: TypeAlias = Callable[[Tape], Raw]
_Blocks: TypeAlias = Callable[[Tape], list[Raw]]


def _sized(tape: Tape) -> list[Raw]:
    """An image that was made smaller."""
    image = picture(tape)
    image["attachment"]["originalDimensions"] = {"width": 2, "height": 2**53 - 1}
    return [image]


def _mixed(tape: Tape) -> list[Raw]:
    """Blocks that belong to an assistant are legal in any message."""
    call = {"type": "tool-call", "id": tape.one_of(NAMES), "name": "read", "arguments": ""}
    return [{"type": "reasoning", "text": tape.one_of(TEXTS)}, call]


#: What formats v0 to v2 may say: blocks of known kinds, and no member too many.
_EXACT: tuple[_Blocks, ...] = (
    words,
    words,
    lambda tape: [*words(tape), *words(tape)],
    lambda tape: [picture(tape), text("a"), picture(tape)],
    lambda _tape: [],
    _sized,
    _mixed,
    lambda tape: [file(tape)],
)


def _person(_tape: Tape) -> Raw:
    return {"kind": "user"}


def _remote(tape: Tape) -> Raw:
    return {"kind": "user", **optional(tape, rpcId=tape.one_of(NAMES), clientTimeZone="Asia/Tokyo")}


#: Plugins whose name is their kind in format v4, and some whose name is not.
PLUGINS = (
    *("time-context", "tools-code-mode", "tools-ptc", "dsh-compaction-basic", "tool-jobs"),
    *("@deepseek-ai/dsh-system-prompt", "hooks-codex", "schedule", "goal", "acme", *NAMES),
)


def _plugin(tape: Tape) -> Raw:
    source = {"kind": "plugin", "plugin": tape.one_of(PLUGINS)}
    return {**source, **tape.one_of(_FORMS)(tape)}


_FORMS: tuple[_Make, ...] = (
    lambda _tape: {},
    lambda tape: {"form": "notice", "summary": tape.one_of(TEXTS)},
    lambda tape: {"form": tape.one_of(("instructions", "catalog", "relay", "recall"))},
    lambda tape: {
        "form": "snapshot",
        "sections": [{"name": tape.one_of(NAMES), "text": tape.one_of(TEXTS)}] * tape.pick(3),
    },
)


def _instructions(tape: Tape) -> Raw:
    change: Raw = {"action": tape.one_of(("set", "replace", "remove")), "scope": "", "path": "/w"}
    change |= optional(tape, digest=tape.one_of(TEXTS))
    source: Raw = {"kind": "agent-instructions", "form": "instructions"}
    source["changes"] = [change] * tape.pick(3)
    return {**source, **optional(tape, baseline=True, baselineIdentity=tape.one_of(NAMES))}


def _reference(tape: Tape, version: int) -> Raw:
    original, retained = 3, tape.pick(4)
    size = tape.pick(2)
    reference: Raw = {"sessionId": tape.one_of(IDS), "label": tape.one_of(TEXTS)}
    reference |= {"capturedThroughSeq": tape.one_of((None, 0, 2**53 - 1)), "compacted": False}
    reference |= {"originalMessages": original, "retainedMessages": retained}
    reference |= {"omittedMessages": original - retained, "omittedBytes": size, "inputIndex": 0}
    reference["truncated"] = original > retained or size > 0
    if version:
        reference |= optional(tape, capturedFormatVersion=1 + tape.pick(version))
    other = {**reference, "sessionId": "another", "inputIndex": 1}
    references = [reference, other] if tape.pick(2) else [reference]
    recall = {"kind": "session-reference", "form": "recall", "version": 1}
    return {**recall, "references": references}


def _mate(tape: Tape) -> Raw:
    ids = {"teamId": "t", "messageId": tape.one_of(NAMES), "senderId": "u"}
    return {"kind": "team-message", **ids, "senderName": tape.one_of(TEXTS)}


def _goal(tape: Tape) -> Raw:
    return {"kind": "goal", "goalId": tape.one_of(NAMES), "revision": 1, "round": 1 + tape.pick(3)}


def _skill(tape: Tape) -> Raw:
    return {"kind": "skill-invocation", "name": tape.one_of(NAMES), "form": "instructions"}


def _skills(tape: Tape) -> Raw:
    entries = [{"name": tape.one_of(NAMES), "description": tape.one_of(TEXTS)}] * tape.pick(3)
    source = {"kind": "skill-catalog", "form": "catalog", "entries": entries}
    return {**source, **optional(tape, update=True)}


def _relay(tape: Tape) -> Raw:
    kind = tape.one_of(("coordinator", "subagent-report"))
    return {"kind": kind, "form": "relay", "senderSessionId": tape.one_of(IDS)}


def _settled(tape: Tape) -> Raw:
    notice = {"form": "notice", "summary": tape.one_of(TEXTS)}
    return {"kind": "subagent-settled", **notice, "senderSessionId": tape.one_of(IDS)}


def _hook(tape: Tape) -> Raw:
    source = {"provider": "p", "source": "s", "deliveryId": tape.one_of(NAMES), "ruleId": "r"}
    return {"kind": "webhook", **source, "form": "notice", "summary": tape.one_of(TEXTS)}


def _agent(tape: Tape) -> Raw:
    return {"kind": "agent-message", "form": "relay", "senderSessionId": tape.one_of(IDS)}


def _disguised(_tape: Tape) -> Raw:
    """A user message may come from a model or a tool, whatever that means."""
    return {"kind": "model", "provider": "p", "model": "m"}


def _exact(version: Past) -> tuple[_Make, ...]:
    """Return the sources of a format that knows them all, a person first and often."""
    return (
        *(_person, _person, _person, _remote, _plugin, _plugin, _plugin),
        *(_instructions, lambda tape: _reference(tape, version), _mate, _goal, _skill, _skills),
        *(_relay, _settled, _hook, _agent, _disguised),
    )


def _strange(tape: Tape) -> Raw:
    return {**obj(tape), "kind": tape.one_of(("acme", "plugin:acme", "system-prompt", "tool"))}


def _odd_plugin(tape: Tape) -> Raw:
    """Format v3 looks at the plugin's name alone."""
    return {
        **obj(tape),
        "kind": "plugin",
        "plugin": tape.one_of((*PLUGINS, "")),
        "k": payload(tape),
    }


#: The voice of each older format.
VOICES: Mapping[Past, Voice] = MappingProxyType(
    {
        0: Voice(open=False, contents=_EXACT, sources=_exact(0)),
        1: Voice(open=False, contents=_EXACT, sources=_exact(1)),
        2: Voice(open=False, contents=_EXACT, sources=_exact(2)),
        3: Voice(
            open=True, contents=CONTENTS, sources=(*_exact(3), _strange, _strange, _odd_plugin)
        ),
    }
)
