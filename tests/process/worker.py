"""A real Worker whose runner is one of these tests' own."""

import os
import sys

from entrypoints.common.settings import Settings
from entrypoints.worker.main import run_worker

if __name__ == "__main__":
    runner = os.environ.get("TEST_RUNNER", "tests.process.runner")
    sys.exit(run_worker(Settings(), [sys.executable, "-m", runner]))
