"""The house is in order: what is documented is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/adr/0000-index.md")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_somewhere(name: str) -> None:
    document = ROOT / name
    links = re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8"))
    assert [link for link in links if not (document.parent / link).exists()] == []


@pytest.mark.parametrize("name", DOCUMENTS[:3])
def test_named_places_exist(name: str) -> None:
    words = re.findall(r"`([\w./-]+)`", (ROOT / name).read_text(encoding="utf-8"))
    places = [word for word in words if re.match(r"(spec|reference|conformance|docs|tests)/", word)]
    assert [place for place in places if not (ROOT / place).exists()] == []


def test_every_decision_is_in_the_index() -> None:
    adr = ROOT / "docs" / "adr"
    index = (adr / "0000-index.md").read_text(encoding="utf-8")
    names = sorted(path.name for path in adr.glob("[0-9]*.md"))[1:]
    assert [name for name in names if f"({name})" not in index] == []
    numbers = [name[:4] for name in names]
    assert len(set(numbers)) == len(numbers)


def test_changelog_fragments_are_named_for_their_kind() -> None:
    kinds = {"added", "changed", "fixed", "breaking"}
    fragments = [path.name.split(".") for path in (ROOT / "changelog.d").glob("*.md")]
    assert [parts for parts in fragments if len(parts) != 3 or parts[1] not in kinds] == []


def test_the_makefile_has_what_the_readme_promises() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("certify", "test", "bench", "sabotage", "certify-real"):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)
