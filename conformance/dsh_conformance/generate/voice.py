"""What messages say and who says it: that differs from format to format, and beats need not know.

Source: facts events §5.4 and §5.5; rule BLOCK-EXACT.
"""

from collections.abc import Callable

from attrs import frozen

from dsh_conformance.generate.payloads import obj, payload
from dsh_conformance.generate.state import Raw
from dsh_conformance.generate.strings import KEYS, NAMES, TEXTS
from dsh_conformance.generate.tape import Tape


@frozen(kw_only=True)
class Voice:
    """What a format lets messages say."""

    #: Whether readers keep a member that the format does not declare.
    open: bool
    #: Makers of content lists; the first ones are the simplest.
    contents: tuple[Callable[[Tape], list[Raw]], ...]
    #: Makers of the sources of user messages; the first ones are a person.
    sources: tuple[Callable[[Tape], Raw], ...]

    def blocks(self, tape: Tape) -> list[Raw]:
        """Return a content list, mostly of one text block."""
        return tape.one_of(self.contents)(tape)

    def source(self, tape: Tape) -> Raw:
        """Return the source of a user message: a person or a producer."""
        return tape.one_of(self.sources)(tape)

    def embellished(self, tape: Tape, members: Raw) -> Raw:
        """Add a member that no format declares, now and then: readers keep it and look away."""
        if self.open and tape.rarely(6):
            members.setdefault(tape.one_of(KEYS), payload(tape))
        return members


def text(words: str) -> Raw:
    """Return a text block."""
    return {"type": "text", "text": words}


def words(tape: Tape) -> list[Raw]:
    """Return a content list of one text block."""
    return [text(tape.one_of(TEXTS))]


def picture(tape: Tape) -> Raw:
    """Return an image block."""
    attachment: Raw = {"attachmentId": "a1", "mediaType": "image/png", "bytes": 0}
    attachment |= {"width": 1, "height": 1}
    if tape.rarely(2):
        attachment["name"] = tape.one_of(TEXTS)
    return {"type": "image", "attachment": attachment}


def file(tape: Tape) -> Raw:
    """Return a file block."""
    attachment = {"attachmentId": "a2", "name": tape.one_of(TEXTS), "bytes": 2**31}
    return {"type": "file", "attachment": attachment}


#: What formats v3 and v4 may say.
CONTENTS: tuple[Callable[[Tape], list[Raw]], ...] = (
    words,
    words,
    lambda tape: [*words(tape), *words(tape)],
    lambda tape: [picture(tape), text("a"), picture(tape)],
    lambda tape: [{**obj(tape), "type": "acme/widget"}],
    lambda _tape: [],
    lambda tape: [file(tape)],
)

#: How messages are made in format v4.
V4 = Voice(
    open=True,
    contents=CONTENTS,
    sources=(
        lambda _tape: {"kind": "user"},
        lambda _tape: {"kind": "user"},
        lambda tape: {"kind": "user", "rpcId": tape.one_of(NAMES), "clientTimeZone": "Asia/Tokyo"},
        lambda tape: {**obj(tape), "kind": "plugin:acme"},
        lambda tape: {
            "kind": "skill-invocation",
            "name": tape.one_of(NAMES),
            "form": "instructions",
        },
        lambda tape: {"kind": "time-context", "form": "notice", "summary": tape.one_of(TEXTS)},
    ),
)
