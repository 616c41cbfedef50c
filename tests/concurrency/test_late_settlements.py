"""Whoever comes too late to settle an item holds it from nobody: claims pass by what is held."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Engine, event, text

from adapters.postgres.engine import PostgresAddress
from application.ports.work_item_execution import Answer, Refused, Settled
from domain.work.attempt import AttemptTag
from domain.work.status import WorkStatus
from tests.contracts.harness import PostgresPorts
from tests.postgres_server import engine_at

pytestmark = pytest.mark.postgres
FREE = "SELECT id FROM work_items WHERE id = :id FOR UPDATE SKIP LOCKED"


@pytest.fixture
def late(database: PostgresAddress) -> Iterator[PostgresPorts]:
    """A Worker with connections of its own."""
    with engine_at(database) as engine:
        yield PostgresPorts(engine=engine)


@contextmanager
def after_each_statement(engine: Engine, look: Callable[[str], None]) -> Iterator[None]:
    def heard(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        look(statement)

    event.listen(engine, "after_cursor_execute", heard)
    try:
        yield
    finally:
        event.remove(engine, "after_cursor_execute", heard)


SETTLE: dict[str, Callable[[PostgresPorts, AttemptTag], Answer]] = {
    "a recovery": lambda ports, tag: ports.execution.recover(tag.item_id, stall_limit=3),
    "a release": lambda ports, tag: ports.execution.release(tag, None),
    "a dead run": lambda ports, tag: ports.execution.recover_dead(tag, stall_limit=3),
}


@pytest.mark.parametrize("key", [None, "k"])
@pytest.mark.parametrize("settle", SETTLE)
def test_what_waits_again_can_be_claimed_between_its_statements(
    ports: PostgresPorts, late: PostgresPorts, settle: str, key: str | None
) -> None:
    item = ports.enqueue(key=key)
    tag = ports.claimed()
    ports.expire()
    recovered = Settled(status=WorkStatus.QUEUED)
    assert ports.execution.recover(item, stall_limit=3) == recovered
    held: list[str] = []
    looks = 0

    def look(statement: str) -> None:
        nonlocal looks
        looks += 1
        with ports.engine.begin() as connection:
            if connection.execute(text(FREE), {"id": item}).first() is None:
                held.append(statement)

    with after_each_statement(late.engine, look):
        answer = SETTLE[settle](late, tag)
    assert held == []
    assert looks > 1
    # By its tag, whoever comes late sees his own attempt handed back.
    assert answer == (Refused.NOT_NOW if settle == "a recovery" else recovered)
    assert ports.claimed().item_id == item
