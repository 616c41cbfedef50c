"""What the peers' environment has in it: `peers.txt`, read."""

import re
from dataclasses import dataclass
from pathlib import Path

PINNED = Path(__file__).with_name("peers.txt")
LINE = re.compile(r"(?P<name>[A-Za-z0-9._-]+)(\[[a-z,]+\])?==(?P<version>[A-Za-z0-9.]+)")


@dataclass(frozen=True, slots=True)
class Requirement:
    name: str
    version: str
    line: str
    """As an installer reads it."""


def read(path: Path = PINNED) -> list[Requirement]:
    """Every requirement of the file; ValueError names the line that is not a pinned one."""
    lines = (line.strip() for line in path.read_text().splitlines())
    return [_parsed(line, path) for line in lines if line and not line.startswith("#")]


def _parsed(line: str, path: Path) -> Requirement:
    if not (found := LINE.fullmatch(line)):
        raise ValueError(f"{path}: not of the form name==version: {line}")
    return Requirement(found["name"], found["version"], line)
