"""The suite of the files track."""

from attrs import define

from dsh_conformance.generate.files import KINDS
from dsh_conformance.implementation.capabilities import Capabilities
from dsh_conformance.implementation.connection import Launcher
from dsh_conformance.tracks.files.claims import claimed
from dsh_conformance.tracks.files.laws import LAWS
from dsh_conformance.tracks.files.laws.odd import ways
from dsh_conformance.tracks.pure.suite import PureSuite
from dsh_reference.files import Compression
from dsh_spec.catalogue import Rule

#: Rules that only a written file shows, by the encoding that it has to have.
_WRITTEN: dict[str, Compression] = {"FRAME-BATCH": "zstd"}


#: The rules that odd and damaged files show.
_SHOWN = frozenset(kind.rule for kind in KINDS)


@define(kw_only=True)
class FilesSuite(PureSuite):
    """The laws of files; a rule is asked of those who claim what shows it."""

    def unclaimed(self, rule: Rule, launcher: Launcher, capabilities: Capabilities) -> str | None:
        """Say why a rule is not asked of an implementation."""
        reason = super().unclaimed(rule, launcher, capabilities)
        if reason is not None:
            return reason
        spots = claimed(self.claims(capabilities))
        needed = encodings(rule.slug)
        if needed and not needed & {compression for _, compression in spots}:
            return f"needs the encoding {' or '.join(sorted(needed))}"
        if rule.slug in _SHOWN and not ways(rule.slug, spots):
            return "needs an older format beside a newer one"
        return None


def encodings(slug: str) -> frozenset[Compression]:
    """Return the encodings that show a rule; none where it does not hang on an encoding."""
    if slug in _WRITTEN:
        return frozenset({_WRITTEN[slug]})
    return frozenset(each for kind in KINDS if kind.rule == slug for each in kind.compressions)


def files_suite() -> FilesSuite:
    """Return the suite."""
    return FilesSuite(track="files", laws=LAWS, formats="formats")
