"""The texts of closers are the exact bytes of the protocol.

The digests are those of the texts that the real runtime 0.2.1rc2 put into its closers.
"""

from hashlib import sha256

import pytest

from dsh_spec.texts import CLOSER_TEXTS, NOT_STARTED, OUTCOME_UNKNOWN, Cause, closer_text


@pytest.mark.parametrize(
    ("cause", "started", "digest"),
    [
        ("interrupted", True, "5655d1cb75343f7b6f034300ccd4cea6f70c07d430825b4575fa03890344bf52"),
        ("interrupted", False, "613f8e88c4324029a758e388a77c9082e93d36d39ad23d5f76c5529fe7b0b42f"),
        ("forked", True, "33b364d225a672b5e87d8480d0237b5b80f6ec3c7abceb04d66e9ccdaf5804e1"),
        ("forked", False, "c11f77294d1c5da06c123f963e28ac20b6db83808d6da4908ca9aee695046eea"),
    ],
)
def test_texts_are_exact(cause: Cause, started: bool, digest: str) -> None:  # noqa: FBT001
    assert sha256(closer_text(cause, started=started).encode()).hexdigest() == digest


def test_the_two_outcomes_are_told_apart() -> None:
    assert len(set(CLOSER_TEXTS.values())) == len(CLOSER_TEXTS) == 4
    assert (NOT_STARTED.name, NOT_STARTED.code) == ("ToolNotStartedError", "TOOL_NOT_STARTED")
    assert (OUTCOME_UNKNOWN.name, OUTCOME_UNKNOWN.code) == (
        "ToolOutcomeUnknownError",
        "TOOL_OUTCOME_UNKNOWN",
    )
