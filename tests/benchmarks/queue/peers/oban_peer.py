"""oban, the open-source one: one instance with one queue, in this process.

One at a time: the queue's limit is 1, and a fetch takes no more than what is free. By default the
limit is 10. Outcomes are written before the next fetch. The event loop and the JSON library are
those of its command line.
"""

import orjson
import uvloop
from oban import Oban, worker
from oban.schema import install
from psycopg.types.json import set_json_dumps, set_json_loads

from tests.benchmarks.queue.peers.trial import Trial, run

COMPLETED = "SELECT count(*) FROM oban_jobs WHERE state = 'completed'"


async def drain(trial: Trial) -> None:
    class Job:
        async def process(self, _: object) -> None:
            trial.job()

    set_json_dumps(orjson.dumps)
    set_json_loads(orjson.loads)
    job = worker(queue="default")(Job)
    pool = await Oban.create_pool(trial.connection)
    try:
        await install(pool)
        async with trial.enqueuing():
            await Oban(pool=pool).enqueue_many(job.new() for _ in range(trial.items))
        settings = {"limit": 1} if trial.is_one_at_a_time else {}
        async with Oban(pool=pool, queues={"default": settings}):
            await trial.settled(COMPLETED)
    finally:
        await pool.close()


if __name__ == "__main__":
    run(drain, uvloop.run)
