"""procrastinate: one worker, in this process, by `App.run_worker_async`.

One at a time: concurrency 1, which is also its default; it always fetches one job at a time. Its
documents recommend neither another event loop nor another driver than psycopg.
"""

import asyncio

from procrastinate import App, PsycopgConnector

from tests.benchmarks.queue.peers.trial import Trial, run

COMPLETED = "SELECT count(*) FROM procrastinate_jobs WHERE status = 'succeeded'"


async def drain(trial: Trial) -> None:
    async def job() -> None:
        trial.job()

    app = App(connector=PsycopgConnector(conninfo=trial.connection))
    task = app.task(name="job")(job)
    async with app.open_async():
        await app.schema_manager.apply_schema_async()
        async with trial.enqueuing():
            await task.batch_defer_async(*({} for _ in range(trial.items)))
        settings = {"concurrency": 1} if trial.is_one_at_a_time else {}
        worker = asyncio.create_task(app.run_worker_async(**settings))
        try:
            await trial.settled(COMPLETED)
        finally:
            worker.cancel()
            await asyncio.wait([worker])


if __name__ == "__main__":
    run(drain)
