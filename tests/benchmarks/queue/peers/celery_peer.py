"""celery, on a Redis of its own: one worker, as its command line starts it.

One at a time: one process for the job (`--concurrency 1`; by default one per core), one message
at a time, which is acknowledged when its job is done: otherwise a worker that dies takes it along.
Results are kept in Redis, as outcomes are in the tables of the others.

Redis writes nothing to the disk here, while the others wait for the disk at each commit. The solo
pool, which has no process for the job, is faster, and a job that dies takes the worker with it.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from redis import Redis
from redis.exceptions import ConnectionError as NotThere

from tests.benchmarks.queue.peers.trial import NotDrained, Trial, run

# What `celery_jobs` is told: the socket, and whether a message waits for the end of its job.
REDIS = "ANICHRON_BENCHMARK_REDIS"
ACKNOWLEDGES_LATE = "ANICHRON_BENCHMARK_ACKS_LATE"
START_SECONDS = 5.0
STOP_SECONDS = 5.0
RESULTS = 1


async def drain(trial: Trial) -> None:
    with tempfile.TemporaryDirectory() as folder, redis(Path(folder)) as socket:
        os.environ[REDIS] = str(socket)
        os.environ[ACKNOWLEDGES_LATE] = "1" if trial.is_one_at_a_time else ""
        from tests.benchmarks.queue.peers.celery_jobs import job

        async with trial.enqueuing():
            for _ in range(trial.items):
                job.delay()
        results = Redis(unix_socket_path=str(socket), db=RESULTS)
        with worker(trial.is_one_at_a_time):
            await trial.seen_done(results.dbsize)


@contextmanager
def redis(folder: Path) -> Iterator[Path]:
    """Its socket, which is all that it listens on."""
    if not (program := shutil.which("redis-server")):
        raise NotDrained("there is no redis-server on the PATH")
    socket = folder / "redis.sock"
    options = ("--port", "0", "--unixsocket", socket, "--save", "", "--dir", folder)
    with running([program, *options]):
        end = time.monotonic() + START_SECONDS
        while not _is_there(socket):
            if time.monotonic() > end:
                raise NotDrained(f"redis-server did not answer within {START_SECONDS:g} s")
            time.sleep(0.05)
        yield socket


@contextmanager
def worker(is_one_at_a_time: bool) -> Iterator[None]:
    settings = ("--concurrency", "1", "--prefetch-multiplier", "1") if is_one_at_a_time else ()
    module = f"{__package__}.celery_jobs"
    with running([sys.executable, "-m", "celery", "--app", module, "worker", *settings]):
        yield


@contextmanager
def running(command: list[str | Path]) -> Iterator[None]:
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=quiet, stderr=quiet, stdin=quiet) as process:
        try:
            yield
        finally:
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()


def _is_there(socket: Path) -> bool:
    try:
        return bool(Redis(unix_socket_path=str(socket)).ping())
    except NotThere:
        return False


if __name__ == "__main__":
    run(drain)
