"""absurd: one `Absurd.start_worker`, its synchronous one, in a thread of this process.

One at a time is its default: a claim takes one task, and its outcome is written before the next
claim. So its two columns measure the same. Its schema is the one that its command line installs.
"""

import asyncio
import threading

import psycopg
from absurd_sdk import Absurd
from absurdctl import BUNDLED_SCHEMA_SQL

from tests.benchmarks.queue.peers.trial import Trial, run

COMPLETED = "SELECT count(*) FROM absurd.t_default WHERE state = 'completed'"


async def drain(trial: Trial) -> None:
    def job(*_: object) -> None:
        trial.job()

    connection = psycopg.connect(trial.connection, autocommit=True)
    connection.execute(BUNDLED_SCHEMA_SQL)
    absurd = Absurd(connection)
    absurd.create_queue()
    absurd.register_task("job")(job)
    async with trial.enqueuing():
        for _ in range(trial.items):
            absurd.spawn("job", {})
    settings = {"concurrency": 1} if trial.is_one_at_a_time else {}
    worker = threading.Thread(target=absurd.start_worker, kwargs=settings, daemon=True)
    worker.start()
    try:
        await trial.settled(COMPLETED)
    finally:
        absurd.stop_worker()
        await asyncio.to_thread(worker.join, 5)
        connection.close()


if __name__ == "__main__":
    run(drain)
