"""pgqueuer: one `PgQueuer.run` over one asyncpg connection, the driver that it calls the fastest.

One at a time: batch_size 1, so that a claim takes one job and an outcome is written alone. It may
claim the next job before the outcome of the last one is written. Two settings are stricter, and
both slow it: max_concurrent_tasks, which may not be below 2, and concurrency_limit=1 of the
entrypoint, after which it polls for each job. By default batches are of 10 and tasks unlimited.
"""

import asyncio

import asyncpg
import uvloop
from pgqueuer import PgQueuer, Queries

from tests.benchmarks.queue.peers.trial import Trial, run

# A completed job leaves the queue's table for its log.
COMPLETED = "SELECT count(*) FROM pgqueuer_log WHERE status = 'successful'"


async def drain(trial: Trial) -> None:
    async def job(_: object) -> None:
        trial.job()

    connection = await asyncpg.connect(trial.connection)
    queries = Queries.from_asyncpg_connection(connection)
    await queries.install()
    async with trial.enqueuing():
        await queries.enqueue(["job"] * trial.items, [None] * trial.items, [0] * trial.items)
    queuer = PgQueuer.from_asyncpg_connection(connection)
    queuer.entrypoint("job")(job)
    settings = {"batch_size": 1} if trial.is_one_at_a_time else {}
    worker = asyncio.create_task(queuer.run(**settings))
    try:
        await trial.settled(COMPLETED)
    finally:
        queuer.shutdown.set()
        await asyncio.wait([worker])


if __name__ == "__main__":
    run(drain, uvloop.run)  # as its command line does where uvloop is installed
