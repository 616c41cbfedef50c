"""chancy: one `Worker`, in this process, with its default plugins.

Not by default, in both columns: the asyncio executor, its cheapest (the default one starts
processes), and eager_polling, made for queues that always have jobs: without it a queue is looked
at every 5 s. Its log of every job is turned off.

One at a time: the queue's concurrency is 1. By default the asyncio executor runs 100. Outcomes
are written once a second, up to 1,000 at once, whatever is set: compare `settled_seconds`.
"""

import logging

from chancy import Chancy, Job, Queue, Worker

from tests.benchmarks.queue.peers.trial import Trial, run

COMPLETED = "SELECT count(*) FROM chancy_jobs WHERE state = 'succeeded'"
TRIALS: list[Trial] = []


async def job() -> None:
    """Chancy finds a job by its module and name, so it can't be made for a trial."""
    TRIALS[0].job()


async def drain(trial: Trial) -> None:
    TRIALS.append(trial)
    log = logging.getLogger("chancy")
    log.setLevel(logging.WARNING)
    settings = {"concurrency": 1} if trial.is_one_at_a_time else {}
    queue = Queue("default", executor=Chancy.Executor.Async, eager_polling=True, **settings)
    async with Chancy(trial.connection, log=log) as chancy:
        await chancy.migrate()
        await chancy.declare(queue)
        async with trial.enqueuing():
            async for _ in chancy.push_many([Job.from_func(job)] * trial.items):
                pass
        async with Worker(chancy):
            await trial.settled(COMPLETED)


if __name__ == "__main__":
    run(drain)
