"""Real Workers whose handler does nothing, and how fast they empty the queue."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.queue.rig import Rig
from tests.postgres_server import as_role, connection_variables

ROOT = Path(__file__).resolve().parents[3]
READY_SECONDS = 30
DRAIN_SECONDS = 300
FILL = """
INSERT INTO work_items (id, kind, payload)
SELECT gen_random_uuid(), 'NoOp', '{"kind": "NoOp"}'
FROM generate_series(1, %s)
"""


@contextmanager
def workers(rig: Rig, count: int, **settings: str) -> Iterator[list[int]]:
    """Their process numbers, when all are ready."""
    logs = [rig.folder / f"worker-{number}.log" for number in range(count)]
    processes = [_start(rig, log, settings) for log in logs]
    try:
        end = time.monotonic() + READY_SECONDS
        while not all(b"ready to work" in log.read_bytes() for log in logs):
            assert time.monotonic() < end, logs[0].read_text()
            time.sleep(0.05)
        yield [process.pid for process in processes]
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(30)


def _start(rig: Rig, log: Path, settings: dict[str, str]) -> subprocess.Popen[bytes]:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(rig.folder),
        "ANICHRON_HOME": str(rig.folder),
        "TEST_RUNNER": "tests.benchmarks.queue.noop_runner",
        **connection_variables(as_role(rig.address, "anichron_worker")),
        **settings,
    }
    with log.open("wb") as output:
        return subprocess.Popen(
            [sys.executable, "-m", "tests.process.worker"],
            cwd=ROOT,
            env=environment,
            stdout=output,
            stderr=output,
        )


def fill(rig: Rig, items: int) -> None:
    """The table holds these waiting items and no others."""
    rig.run("TRUNCATE work_items CASCADE")
    with rig.connect() as database:
        database.execute(FILL, [items])


@dataclass(frozen=True, slots=True)
class Drain:
    """Items a second of one drain, by the database's clock."""

    whole: float
    """From the first start to the last end."""
    together: float
    """Of the middle half, when every Worker has noticed that there is work."""


DONE = """
SELECT count(*) FILTER (WHERE status = 'Succeeded'),
    extract(epoch FROM max(finished_at) - min(started_at)),
    extract(epoch FROM percentile_disc(0.9) WITHIN GROUP (ORDER BY finished_at)
        - percentile_disc(0.4) WITHIN GROUP (ORDER BY finished_at))
FROM work_items WHERE kind = 'NoOp'
"""


def drained(rig: Rig, count: int, items: int) -> Drain:
    rig.run("TRUNCATE work_items CASCADE")
    with workers(rig, count), rig.connect() as database:
        database.execute(FILL, [items])
        end = time.monotonic() + DRAIN_SECONDS
        while True:
            row = database.execute(DONE).fetchone()
            assert row is not None
            if row[0] == items:
                return Drain(items / float(row[1]), items / 2 / float(row[2]))
            assert time.monotonic() < end, f"{row[0]} of {items} items are done"
            time.sleep(0.5)
