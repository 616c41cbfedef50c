"""What servers and hosts said that nobody should have to read."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

VIOLATION = re.compile(r"ERROR:  .*(duplicate key|violates (?!foreign key)).*")
EXPECTED = (
    "the handler raised",  # some are made to
    "the outcome is given up",
    "something holds the exit up: leaving; the lease will run out",
)


def server_noise(log: Path) -> Iterator[str]:
    """Violations of unique and check constraints in PostgreSQL's log.

    A foreign key may be violated: work is asked for in configs that have been deleted.
    """
    for line in _lines(log):
        if found := VIOLATION.search(line):
            yield found[0]


def host_noise(folder: Path) -> Iterator[str]:
    """Errors in the logs of hosts, but for those that the faults make them tell."""
    for log in sorted(folder.glob("*.log")):
        for line in _lines(log):
            if '"level": "error"' not in line and '"level": "critical"' not in line:
                continue
            said = json.loads(line)
            if not str(said["event"]).startswith(EXPECTED):
                fault = str(said.get("exception", "")).strip().splitlines()[-1:]
                yield " ".join([f"{log.name}: {said['event']}", *fault])


def _lines(log: Path) -> Iterator[str]:
    """Whole lines only: the last may be half written."""
    with log.open(errors="replace") as file:
        yield from (line for line in file if line.endswith("\n"))
