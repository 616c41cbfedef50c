"""A document that says which test holds a promise says so truly."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = ("operating.md", "reliability.md", "scenarios.md", "security.md", "tests.md")
PLACE = re.compile(r"`(tests/[^`\s]*)`(?: \(([^)]*)\))?")
NAME = re.compile(r"`(…?)([a-z0-9_]+)(…?)`")
# A name of a test, by which it is not told of which file.
STRAY = re.compile(r"\(`…[^)]*\)")


def places(document: Path) -> list[tuple[str, list[str]]]:
    """Each file or folder of tests that is named, and the patterns behind it."""
    found = []
    for path, names in PLACE.findall(document.read_text()):
        patterns = [
            ("" if not before else r"\w*") + name + ("" if not after else r"\w*")
            for before, name, after in NAME.findall(names)
            if before or after
        ]
        found.append((path, patterns))
    return found


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_test_that_is_named_is_there(name: str) -> None:
    missing = []
    named = places(ROOT / "docs" / name)
    for path, patterns in named:
        file = ROOT / path
        if not file.exists():
            missing.append(path)
            continue
        texts = [each.read_text() for each in ([file] if file.is_file() else file.rglob("*.py"))]
        missing += [
            f"{path}: {pattern}"
            for pattern in patterns
            if not any(re.search(rf"def (test_)?{pattern}\b", text) for text in texts)
        ]
    assert named
    assert missing == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_name_stands_behind_its_file(name: str) -> None:
    text = PLACE.sub("", (ROOT / "docs" / name).read_text())
    assert STRAY.findall(text) == []


def test_every_folder_of_tests_is_told_of() -> None:
    text = (ROOT / "docs" / "tests.md").read_text()
    folders = {each.parent.name for each in (ROOT / "tests").glob("*/__init__.py")}
    assert {name for name in folders if f"`tests/{name}`" not in text} == set()
