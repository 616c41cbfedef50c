"""A Worker says that it is there, and works on where it can't."""

import signal

import pytest
from sqlalchemy import text

from domain.work.status import WorkStatus
from tests.process.hosts import Scene, eventually

pytestmark = [pytest.mark.postgres, pytest.mark.process]


def said(stage: Scene) -> list[tuple[object, ...]]:
    query = "SELECT name, host, user_id, item_id, seen_at > started_at FROM workers"
    with stage.ports.engine.connect() as connection:
        return [tuple(row) for row in connection.execute(text(query))]


def test_it_tells_what_it_runs_and_that_it_waits(stage: Scene) -> None:
    stage.start()
    eventually(lambda: [row[3:] for row in said(stage)] == [(None, True)])
    [(name, host, user_id, *_)] = said(stage)
    assert (name, user_id) == (f"all@{host}", None)
    item = stage.enqueue("work", seconds=60)
    eventually(lambda: [row[3] for row in said(stage)] == [item])
    stage.ports.canceller.cancel(item)
    stage.until(item, WorkStatus.CANCELLED)
    eventually(lambda: [row[3] for row in said(stage)] == [None])


def test_where_it_cannot_say_so_it_works_all_the_same(stage: Scene) -> None:
    stage.ports.run("ALTER TABLE workers RENAME TO elsewhere")
    worker = stage.start()
    item = stage.enqueue("return")
    stage.until(item, WorkStatus.SUCCEEDED)
    eventually(lambda: "presence failed; going on" in worker.log.read_text())
    stage.ports.run("ALTER TABLE elsewhere RENAME TO workers")
    eventually(lambda: len(said(stage)) == 1)
    assert worker.process.poll() is None


def test_one_that_is_told_to_stop_says_so_and_one_that_is_killed_cannot(stage: Scene) -> None:
    query = "SELECT stopped_at IS NOT NULL, item_id IS NULL FROM workers ORDER BY started_at"

    def ends() -> list[tuple[object, ...]]:
        with stage.ports.engine.connect() as connection:
            return [tuple(row) for row in connection.execute(text(query))]

    item = stage.enqueue("work", seconds=60)
    polite = stage.start()
    eventually(lambda: ends() == [(False, False)])
    polite.signal(signal.SIGTERM)
    assert polite.wait() == 0
    assert ends() == [(True, True)]
    killed = stage.start()
    stage.until(item, WorkStatus.RUNNING)
    eventually(lambda: ends() == [(False, False)])
    killed.signal(signal.SIGKILL)
    killed.wait()
    assert ends() == [(False, False)]
