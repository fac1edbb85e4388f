"""The house is in order: what is documented is there."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/adr/0000-index.md")
#: The modules that travel in the wheel.
PACKAGES = [
    path
    for package in ("spec/dsh_spec", "reference/dsh_reference", "conformance/dsh_conformance")
    for path in (ROOT / package).rglob("*.py")
]
#: The packages of the wheel, and what only the extra of the real runtime brings.
OWN = {"dsh_spec", "dsh_reference", "dsh_conformance", "deepseek_harness_runtime"}


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


def test_what_the_packages_import_is_installed_with_them() -> None:
    """An extra brings implementations and tools, never what a command cannot do without."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    required = {re.split(r"[^a-z-]", each)[0].partition("-")[0] for each in project["dependencies"]}
    imported = {name for path in PACKAGES for name in _imports(path)}
    assert imported - sys.stdlib_module_names - OWN == required


def _imports(path: Path) -> Iterator[str]:
    """Yield the roots of what a module imports, by a statement or by its name in a string."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (each.name.partition(".")[0] for each in names)
            case ast.ImportFrom(module=str(module), level=0):
                yield module.partition(".")[0]
            case ast.Constant(value="backports.zstd"):
                yield "backports"
