"""Eight schedulers at one slot around the instant at which it becomes due (Q10)."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest
from sqlalchemy import text

from adapters.postgres.engine import PostgresAddress
from domain.work.outcome import Succeeded
from domain.work.progress import NO_PROGRESS
from tests.concurrency.crowd import all_at_once
from tests.contracts.harness import PostgresPorts, new_item

pytestmark = [pytest.mark.postgres, pytest.mark.slow]
DAY = timedelta(hours=24)
SCHEDULERS = 8
ROUNDS = 500
AROUND = [timedelta(milliseconds=each) for each in (-1, 0, 10)]
"""When the slot becomes due, from the start; the threads begin two or three milliseconds later."""
LIMIT_SECONDS = 2


@pytest.mark.timeout(300)
def test_500_slots_make_500_items_none_early_and_no_noise(
    ports: PostgresPorts, database: PostgresAddress
) -> None:
    last = ports.queue.enqueue(new_item(key="k")).id
    finish_waiting(ports)
    with without_errors_in(database):
        for number in range(ROUNDS):
            ports.run(
                "UPDATE work_items SET finished_at = clock_timestamp() - :age",
                age=DAY - AROUND[number % 3],
            )
            finishers = number % 2  # who claims and ends the item at once
            slot = Slot(ports, last)
            made = all_at_once([slot.schedule] * SCHEDULERS + [slot.work] * finishers)
            assert sum(made) == 1
            [(next_one, was_early)] = slot.items()
            assert not was_early
            finish_waiting(ports)
            ports.run("DELETE FROM work_items WHERE id = :last", last=last)
            last = next_one


@dataclass(frozen=True)
class Slot:
    """What eight schedulers, and perhaps a Worker, do after the item `last`."""

    ports: PostgresPorts
    last: UUID

    def schedule(self) -> int:
        """Look until somebody made an item, and once more; how many this one made."""
        made, end = 0, time.monotonic() + LIMIT_SECONDS
        while time.monotonic() < end:
            is_over = bool(self.items())
            made += self.ports.queue.enqueue_if_due(new_item(key="k"), DAY) is not None
            if is_over:
                break
        return made

    def work(self) -> int:
        end = time.monotonic() + LIMIT_SECONDS
        while not finish_waiting(self.ports) and time.monotonic() < end:
            pass
        return 0

    def items(self) -> list[tuple[UUID, bool]]:
        """The newer items, and whether each came before its time."""
        with self.ports.engine.connect() as connection:
            found = connection.execute(
                text(
                    "SELECT w.id, w.requested_at < last.finished_at + interval '24 hours'"
                    " FROM work_items w JOIN work_items last ON last.id = :last AND w.id <> :last"
                ),
                {"last": self.last},
            )
            return [(row[0], row[1]) for row in found]


def finish_waiting(ports: PostgresPorts) -> bool:
    item = ports.claim()
    if item is not None:
        ports.execution.finish(item.tag(), Succeeded({}), NO_PROGRESS)
    return item is not None


@contextmanager
def without_errors_in(address: PostgresAddress) -> Iterator[None]:
    """The embedded server's log; other servers keep theirs to themselves."""
    log = Path(address.host).parent / "postgres.log"
    if not log.exists():
        yield
        return
    before = len(log.read_bytes())
    yield
    assert b"ERROR" not in log.read_bytes()[before:]
