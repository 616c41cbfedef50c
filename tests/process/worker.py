"""A real Worker whose runner knows the kinds of these tests."""

import sys

from entrypoints.common.settings import Settings
from entrypoints.worker.main import run_worker

if __name__ == "__main__":
    sys.exit(run_worker(Settings(), [sys.executable, "-m", "tests.process.runner"]))
