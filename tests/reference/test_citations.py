"""What the reference cites is in the catalogue."""

import re
from pathlib import Path

import pytest

from dsh_spec.catalogue import rules

REFERENCE = Path(__file__).parents[2] / "reference"
MODULES = sorted(REFERENCE.rglob("*.py"))
KNOWN = {each.slug for each in rules()}
AREAS = "|".join(sorted({slug.split("-")[0] for slug in KNOWN}))
#: A slug; one with ``-*`` behind it stands for all that begin so.
CITED = re.compile(rf"(?<![A-Z0-9-])(?:{AREAS})(?:-[A-Z0-9]+)+(?:-\*)?(?![A-Z0-9-])")


def is_known(cited: str) -> bool:
    if cited.endswith("-*"):
        return any(slug.startswith(cited[:-1]) for slug in KNOWN)
    return cited in KNOWN


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(REFERENCE)))
def test_every_rule_that_is_cited_exists(module: Path) -> None:
    cited = CITED.findall(module.read_text(encoding="utf-8"))
    assert [slug for slug in cited if not is_known(slug)] == []


def test_a_slug_of_no_rule_would_be_found() -> None:
    assert CITED.findall("see SURF-NOWHERE, SURF-TOOL-* and AND-THAT") == [
        "SURF-NOWHERE",
        "SURF-TOOL-*",
    ]
    assert not is_known("SURF-NOWHERE")
    assert is_known("SURF-TOOL-*")
