"""Commands with a limit, whose failures are one line."""

import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[4]
LONGEST_REASON = 300
ADDRESS = re.compile(r"://|host=")


@dataclass(frozen=True, slots=True)
class Unavailable:
    """Something could not be had or measured; the reason is one line for a table."""

    reason: str


def output(
    command: Sequence[str | Path], limit: float, environment: Mapping[str, str] | None = None
) -> str | Unavailable:
    """What the command prints; Unavailable if it fails or takes longer than `limit` seconds."""
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            check=False,
            cwd=ROOT,
            env=environment,
            errors="replace",
            stdin=subprocess.DEVNULL,
            text=True,
            timeout=limit,
        )
    except subprocess.TimeoutExpired:
        return Unavailable(f"took longer than {limit:g} s")
    except OSError as error:
        return Unavailable(f"{command[0]}: {error.strerror}")
    if done.returncode:
        return Unavailable(_reason(done.stderr) or f"ended with code {done.returncode}")
    return done.stdout


def _reason(stderr: str) -> str:
    """The last thing that was said: an indented line continues the one before.

    Addresses go: a reason is published, and where this machine gets its packages is not.
    """
    last = re.split(r"\n(?=\S)", stderr.strip())[-1]
    words = [word for word in last.split() if re.search(r"\w", word) and not ADDRESS.search(word)]
    return " ".join(words)[:LONGEST_REASON]
