"""awa (awa-pg): one asynchronous client, whose worker is its Rust engine inside this process.

One at a time: max_workers and claim_batch_size are 1; it has one claimer by default. By default
a declared queue has 10 workers and claims are of up to 512. Its storage is the one that the first
worker of a fresh installation activates, activated before so that items can be enqueued by COPY.
"""

from dataclasses import dataclass

from awa import AsyncClient

from tests.benchmarks.queue.peers.trial import Trial, run

# Where its view awa.jobs finds them; the view itself takes seconds for thousands of them.
COMPLETED = """
    SELECT (SELECT coalesce(sum(cardinality(job_ids)), 0) FROM awa.receipt_completion_batches)
         + (SELECT count(*) FROM awa.done_entries WHERE state = 'completed')
"""
ONE_AT_A_TIME = [{"name": "default", "max_workers": 1, "claim_batch_size": 1}]


@dataclass
class Nothing:
    """The arguments of a job name its kind."""


async def drain(trial: Trial) -> None:
    async def job(_: object) -> None:
        trial.job()

    async with AsyncClient(trial.connection) as client:
        await client.migrate()
        await client.install_queue_storage()
        async with trial.enqueuing():
            await client.enqueue_many_copy([Nothing() for _ in range(trial.items)])
        client.task(Nothing)(job)
        await client.start(ONE_AT_A_TIME if trial.is_one_at_a_time else None)
        try:
            await trial.settled(COMPLETED)
        finally:
            await client.shutdown()


if __name__ == "__main__":
    run(drain)
