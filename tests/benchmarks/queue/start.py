"""`make run`, the second time: from the command to ready."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from http.client import HTTPConnection
from pathlib import Path

from tests.benchmarks.queue.figures import Figure, at_most, median
from tests.entrypoints.api.running_host import free_port

LIMIT_SECONDS = 120
RUNS = 3


def measure() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        home = Path(name)
        home.chmod(0o755)
        _seconds_to_ready(home)  # makes the database and the sample library
        seconds = median([_seconds_to_ready(home) for _ in range(RUNS)])
    return [at_most("make run, the second time, to ready", seconds, "s", seconds, 3)]


def _seconds_to_ready(home: Path) -> float:
    port = free_port()
    program = Path(sys.executable).with_name("anichron")
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "ANICHRON_HOME": str(home / "home"),
        "PORT": str(port),
    }
    began = time.monotonic()
    process = subprocess.Popen(
        [program, "up"],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        while not _is_ready(port):
            assert process.poll() is None, "anichron up ended"
            assert time.monotonic() < began + LIMIT_SECONDS, "it was not ready in time"
            time.sleep(0.02)
        return time.monotonic() - began
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)


def _is_ready(port: int) -> bool:
    try:
        connection = HTTPConnection("127.0.0.1", port, timeout=5)
        connection.request("GET", "/api/v1/readyz")
        return connection.getresponse().status == 200
    except OSError:
        return False
