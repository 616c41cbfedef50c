"""What a document tells people to type exists: every command, every option, every make target."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from entrypoints.cli.main import app

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted(
    str(path.relative_to(ROOT))
    for path in (ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("deploy/**/*.md"))
)
CODE = re.compile(r"^```\w*\n(.*?)^```|`([^`\n]+)`", re.MULTILINE | re.DOTALL)
# `docker build -t anichron .` and `/var/lib/anichron` name no command.
ANICHRON = re.compile(
    r"(?:^|(?<=[\s(`])|(?<=\.venv/bin/))anichron +([a-z][a-z-]*[^\n`|]*)", re.MULTILINE
)
COMPOSE = re.compile(r"docker compose run(?: -\S+)* migrate +([^\n`|]+)")
MAKE = re.compile(r"(?:^|(?<=[\s`]))make ([a-z][a-z-]*)", re.MULTILINE)
TARGET = re.compile(r"^([a-z-]+):", re.MULTILINE)
OPTION = re.compile(r"--[a-z][a-z-]*")


def code_of(text: str) -> Iterator[str]:
    """What is set as code: blocks, and words within a line."""
    for block, words in CODE.findall(text):
        yield block or words


def commands_in(text: str) -> list[str]:
    """What follows the command's name, each with its arguments, as it is written."""
    return [
        line.split(" #")[0].split(";")[0].strip()
        for code in code_of(text)
        for pattern in (ANICHRON, COMPOSE)
        for line in pattern.findall(code.replace("\\\n", " "))
    ]


def targets_in(text: str) -> set[str]:
    return {name for code in code_of(text) for name in MAKE.findall(code)}


def fault_of(written: str) -> str | None:
    """Why the command line would refuse these words; None where it knows them all."""
    command: Any = typer.main.get_command(app)
    for word in written.split():
        below = getattr(command, "commands", None)
        if below is None:
            break
        if word not in below:
            return f"anichron {written}: there is no {word}"
        command = below[word]
    options = {each for parameter in command.params for each in parameter.opts} | {"--help"}
    unknown = sorted(set(OPTION.findall(written)) - options)
    return f"anichron {written}: there is no {', '.join(unknown)}" if unknown else None


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_command_and_option_that_is_named_exists(document: str) -> None:
    faults = [fault_of(each) for each in commands_in((ROOT / document).read_text())]
    assert list(filter(None, faults)) == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_make_that_is_named_is_a_target(document: str) -> None:
    targets = set(TARGET.findall((ROOT / "Makefile").read_text()))
    assert targets_in((ROOT / document).read_text()) <= targets


def test_the_first_run_names_what_a_newcomer_types() -> None:
    text = (ROOT / "docs" / "first-run.md").read_text()
    named = {" ".join(each.split()[:2]) for each in commands_in(text)}
    assert named >= {"storage add", "work watch", "work list", "work cancel", "work show", "doctor"}
    assert "run" in targets_in(text)


def test_a_command_an_option_and_a_target_that_are_not_there_are_seen() -> None:
    text = (
        "Run `anichron work lift`, or\n"
        "```\n.venv/bin/anichron work list --colour  # red\nmake tea\n```\n"
    )
    assert [fault_of(each) for each in commands_in(text)] == [
        "anichron work lift: there is no lift",
        "anichron work list --colour: there is no --colour",
    ]
    assert targets_in(text) == {"tea"}
    assert fault_of("work list --status running") is None
