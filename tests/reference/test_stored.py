"""What the reader of v3 asks of a stored log, and what it leaves to later formats."""

from typing import Any

import pytest
from hypothesis import given, settings

from dsh_conformance.backends.zstd import Zstd
from dsh_conformance.generate.formats import logs
from dsh_conformance.logs.writing import log_bytes
from dsh_reference.files import Compression, LogFile
from dsh_reference.migrate import migrate
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_reference.stored import admit_stored, load_stored
from dsh_spec.catalogue import Format
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import JsonObject

HEADER: JsonObject = {
    "version": 3,
    "id": "s",
    "createdAt": 0,
    "isSeeded": False,
    "delegationDepth": 0,
}


def event(kind: str, data: Any, **envelope: Any) -> JsonObject:
    return {"type": kind, "seq": 0, "time": 0, "data": data, **envelope}


def said(**members: Any) -> Any:
    text = {"type": "text", "text": "a"}
    return {"id": "m", "role": "user", "content": [text], "source": {"kind": "user"}, **members}


def verdict(*events: JsonObject, **header: Any) -> Refusal | None:
    return admit_stored({**HEADER, **header}, 0, events, format=3)


@settings(max_examples=25)
@given(logs(3))
def test_what_its_writers_leave_is_read(log: SessionLog) -> None:
    content = log_bytes(log, "zstd")
    found = load_stored(content, compression="zstd", decompressor=Zstd().inflate(), format=3)
    assert isinstance(found, LogFile), found
    assert found.events == log.events
    assert found.inherited == log.inherited


@pytest.mark.parametrize(
    ("broken", "rule", "kind"),
    [
        (event("acme/new", {}), "INV-VOCAB", RefusalKind.UNSUPPORTED_FORMAT),
        (event("developer/message", {}), "INV-VOCAB", RefusalKind.UNSUPPORTED_FORMAT),
        (
            event("request/header", {"header": {}, "reason": "fallback"}),
            "INV-NO-FALLBACK",
            RefusalKind.UNSUPPORTED_FORMAT,
        ),
        (
            event("user/message", said(role="tool"), surfaceOp="append"),
            "MSG-ROLES",
            RefusalKind.CORRUPT,
        ),
        (event("user/message", said(id=""), surfaceOp="append"), "MSG-FIELDS", RefusalKind.CORRUPT),
        (event("user/message", said()), "SURF-MARKER-REQUIRED", RefusalKind.CORRUPT),
        (event("session/end-seed", {"inherited": True}), "CUT-V2PLUS", RefusalKind.CORRUPT),
        (event("plan/mode", {}, ignorable=False), "ENV-IGNORABLE-TRUE", RefusalKind.CORRUPT),
    ],
)
def test_one_event_can_refuse_a_log(broken: JsonObject, rule: str, kind: RefusalKind) -> None:
    found = verdict(broken)
    assert found is not None
    assert (found.rule, found.kind) == (rule, kind)


@pytest.mark.parametrize(
    "odd",
    [
        event("developer/message", {}, ignorable=True),
        event("turn/end", {"turn": 99, "reason": {"kind": "completed"}}),
        event("step/end", {"turn": 9, "step": 9}),
    ],
)
def test_no_event_is_held_to_another_one(odd: JsonObject) -> None:
    assert verdict(odd) is None


def test_v4_is_stricter() -> None:
    odd = event("step/end", {"turn": 9, "step": 9})
    assert admit_stored({**HEADER, "version": 4}, 0, [odd], format=4) is not None
    log = SessionLog(header=HEADER, inherited=0, events=(odd,))
    assert isinstance(migrate(log), Refusal)


def test_a_seeded_log_needs_its_marker_and_the_count_of_it() -> None:
    mark = event("session/end-seed", {"inherited": True})
    assert verdict(mark, isSeeded=True) is None
    lacking = verdict(isSeeded=True)
    assert lacking is not None
    assert lacking.rule == "CUT-V2PLUS"
    elsewhere = admit_stored({**HEADER, "isSeeded": True}, 1, [mark], format=3)
    assert elsewhere is not None
    assert elsewhere.rule == "CUT-EXACT"


@pytest.mark.parametrize(("format_", "version"), [(3, 2), (3, 4), (3, 9), (4, 3), (4, 5)])
def test_a_header_of_another_format_is_unsupported(format_: Format, version: int) -> None:
    line = log_bytes(SessionLog(header=HEADER, inherited=0, events=()), "none")
    content = line.replace(b'"version":3', f'"version":{version}'.encode())
    compression: Compression = "none"
    found = load_stored(content, compression=compression, format=format_)
    assert isinstance(found, Refusal)
    assert found.kind is RefusalKind.UNSUPPORTED_FORMAT
