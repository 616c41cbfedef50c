"""Draws docs/performance.svg from docs/performance.json, in the environment of the peers."""

import subprocess
from pathlib import Path

from tests.benchmarks.queue.peers.environment import Environment

DRAWING = Path(__file__).with_name("drawing.py")
LIMIT_SECONDS = 60


def draw(environment: Environment, docs: Path) -> None:
    """Nothing is drawn where matplotlib could not be installed; the terminal says so."""
    if reason := environment.missing.get("matplotlib"):
        print(f"no plot: {reason}")
        return
    command = [environment.python, DRAWING, docs / "performance.json", docs / "performance.svg"]
    subprocess.run(command, check=True, timeout=LIMIT_SECONDS)
