"""A host under fire, as `python -m tests.chaos.host worker|api`: it ends with the harness."""

import ctypes
import os
import signal
import sys

from domain.errors import DomainError
from entrypoints.common.settings import Settings
from entrypoints.worker.main import run_worker
from tests.chaos.faketime import sleep_under_faketime

PR_SET_PDEATHSIG = 1
API = ["-m", "gunicorn", "--config", "python:entrypoints.api.gunicorn_conf"]
RUNNER = ["-m", "tests.chaos.runner"]


def main(name: str) -> None:
    # Kept over exec. The harness starts hosts from its main thread, which lives as long as it does.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if name == "api":
        os.execv(sys.executable, [sys.executable, *API])  # noqa: S606  # no shell is wanted
    sleep_under_faketime()
    try:
        status = run_worker(Settings(), [sys.executable, *RUNNER])
    except DomainError as error:
        sys.exit(f"the Worker can't start: {error}")
    sys.exit(status)


if __name__ == "__main__":
    main(sys.argv[1])
