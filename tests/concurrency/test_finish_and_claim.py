"""An outcome and the next claim are one transaction, whose locks nobody waits for in a circle."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text

from adapters.postgres.engine import ConnectionLimits, PostgresAddress
from application.ports.work_item_execution import OutcomeUnstorable, Settled
from domain.errors import DatabaseUnavailable
from domain.work.attempt import AttemptTag
from domain.work.outcome import Succeeded
from domain.work.progress import NO_PROGRESS
from domain.work.status import WorkStatus
from tests.concurrency.crowd import held_row
from tests.contracts.harness import PostgresPorts, claim_request
from tests.postgres_server import engine_at

pytestmark = pytest.mark.postgres
ITEM = "SELECT 1 FROM work_items WHERE id = :id FOR UPDATE"
WAITS = (
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE application_name = 'chain' AND wait_event_type = 'Lock'"
)
LIMIT_SECONDS = 10


@pytest.fixture
def ports(database: PostgresAddress) -> Iterator[PostgresPorts]:
    """Whoever waits for a lock gives up after two seconds."""
    limits = ConnectionLimits(lock=2, pool_size=8)
    with engine_at(database, limits, "chain") as engine:
        yield PostgresPorts(engine=engine)


def in_hand(ports: PostgresPorts) -> AttemptTag:
    ports.enqueue()
    return ports.claimed()


def test_an_outcome_that_cannot_be_written_claims_nothing(ports: PostgresPorts) -> None:
    tag = in_hand(ports)
    waiting = ports.enqueue()
    before = ports.item(waiting)
    with held_row(ports.engine, ITEM, id=tag.item_id), pytest.raises(DatabaseUnavailable):
        ports.execution.finish_and_claim(tag, Succeeded({}), NO_PROGRESS, claim_request())
    with pytest.raises(OutcomeUnstorable):
        ports.execution.finish_and_claim(tag, Succeeded({"a": "\0"}), NO_PROGRESS, claim_request())
    assert ports.item(waiting) == before
    assert ports.item(tag.item_id).status is WorkStatus.RUNNING


def test_whoever_waits_to_write_an_outcome_holds_no_next_item(ports: PostgresPorts) -> None:
    tag = in_hand(ports)
    oldest, newer = ports.enqueue(), ports.enqueue()
    with ThreadPoolExecutor(1) as threads:
        with held_row(ports.engine, ITEM, id=tag.item_id):
            chained = threads.submit(
                ports.execution.finish_and_claim,
                tag,
                Succeeded({}),
                NO_PROGRESS,
                claim_request(),
            )
            wait_until_it_waits(ports)
            other = ports.claim()
            assert other is not None
            assert other.id == oldest
        answer, item = chained.result(LIMIT_SECONDS)
    assert answer == Settled(status=WorkStatus.SUCCEEDED)
    assert item is not None
    assert item.id == newer


def wait_until_it_waits(ports: PostgresPorts) -> None:
    end = time.monotonic() + LIMIT_SECONDS
    with ports.engine.connect() as connection:
        while not connection.execute(text(WAITS)).scalar_one():
            assert time.monotonic() < end, "nobody waits"
            connection.rollback()
            time.sleep(0.01)
