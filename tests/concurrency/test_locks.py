"""Who waits for whom, shown by a lock that somebody holds: no luck of timing is needed."""

import time
from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID

import pytest
from sqlalchemy import Engine, text

from adapters.postgres.claim_proof import ProofLock, prove_claim
from adapters.postgres.engine import ConnectionLimits, PostgresAddress
from application.ports.work_item_execution import Beat, OutcomeUnstorable, Refused, Settled
from application.ports.work_item_purger import PurgePosition
from application.ports.work_item_reader import ListFilter
from domain.errors import DatabaseUnavailable
from domain.work.attempt import AttemptTag
from domain.work.kind import WorkKind
from domain.work.outcome import Succeeded
from domain.work.progress import NO_PROGRESS, Progress
from domain.work.status import WorkStatus
from tests.concurrency.crowd import held_row
from tests.contracts.harness import LEASE, PostgresPorts, new_item
from tests.postgres_server import engine_at

pytestmark = pytest.mark.postgres
KEY = "SELECT pg_advisory_xact_lock(hashtextextended('k', 276))"
CONFIG = "SELECT 1 FROM storage_configs WHERE id = :id FOR UPDATE"
ITEM = "SELECT 1 FROM work_items WHERE id = :id FOR UPDATE"
MONTH = timedelta(days=30)


@pytest.fixture
def ports(database: PostgresAddress) -> Iterator[PostgresPorts]:
    """Whoever waits for a lock gives up after two seconds."""
    limits = ConnectionLimits(lock=2, pool_size=8)
    with engine_at(database, limits) as engine:
        yield PostgresPorts(engine=engine)


def stalled(ports: PostgresPorts, key: str | None = None, scope: UUID | None = None) -> AttemptTag:
    ports.enqueue(WorkKind.CRAWL, key=key, scope=scope)
    tag = ports.claimed()
    ports.run(
        "UPDATE work_items SET lease_until = clock_timestamp() - interval '1 s' WHERE id = :id",
        id=tag.item_id,
    )
    return tag


def at_once(began: float) -> bool:
    return time.monotonic() - began < 1.5


def test_enqueue_and_release_wait_for_the_key_and_recovery_passes_by(ports: PostgresPorts) -> None:
    tag = stalled(ports, key="k")
    with held_row(ports.engine, KEY):
        with pytest.raises(DatabaseUnavailable):
            ports.queue.enqueue(new_item(key="k"))
        with pytest.raises(DatabaseUnavailable):
            ports.execution.release(tag, None)
        began = time.monotonic()
        assert ports.execution.recover(tag.item_id, stall_limit=3) is Refused.NOT_NOW
        assert at_once(began)
    assert ports.execution.release(tag, None) == Settled(status=WorkStatus.QUEUED)


def test_release_waits_for_a_config_that_is_being_deleted_and_recovery_passes_by(
    ports: PostgresPorts,
) -> None:
    config = ports.add_config()
    tag = stalled(ports, scope=config)
    with held_row(ports.engine, CONFIG, id=config):
        began = time.monotonic()
        assert ports.execution.recover(tag.item_id, stall_limit=3) is Refused.NOT_NOW
        assert at_once(began)
        with pytest.raises(DatabaseUnavailable):
            ports.execution.release(tag, None)


@pytest.mark.parametrize("lock", ProofLock)
def test_a_proof_holds_the_item_against_reclaim_and_only_the_strict_one_against_beats(
    ports: PostgresPorts, engine: Engine, lock: ProofLock
) -> None:
    ports.enqueue()
    tag = ports.claimed()
    with engine.begin() as connection:
        prove_claim(connection, tag, lock)
        with pytest.raises(DatabaseUnavailable), ports.transactions.begin() as other:
            other.connection.execute(text(ITEM), {"id": tag.item_id})  # type: ignore[attr-defined]
        if lock is ProofLock.SHARED_WITH_BEATS:
            answer = ports.execution.heartbeat(tag, NO_PROGRESS, LEASE)
            assert answer == Beat(cancel_requested=False)
        else:
            with pytest.raises(DatabaseUnavailable):
                ports.execution.heartbeat(tag, NO_PROGRESS, LEASE)


def finished(ports: PostgresPorts) -> UUID:
    ports.enqueue()
    tag = ports.claimed()
    ports.execution.finish(tag, Succeeded({}), NO_PROGRESS)
    return tag.item_id


def test_a_purge_passes_over_what_somebody_holds_and_takes_the_oldest_first(
    ports: PostgresPorts,
) -> None:
    held, first, second, third = (finished(ports) for _ in range(4))
    ports.advance(MONTH + timedelta(minutes=1))
    ports.run(
        "UPDATE work_items SET finished_at = finished_at - interval '1 day' WHERE id = :id",
        id=second,
    )
    ports.enqueue(WorkKind.WORK_ITEM_RETENTION)
    tag = ports.claimed()
    with held_row(ports.engine, ITEM, id=held):
        began = time.monotonic()
        batch = ports.purger.purge(tag, older_than=MONTH, after=None, most=1)
        assert at_once(began)
    assert batch.items == 1
    assert ports.reader.get(second) is None
    last = ports.item(first)
    assert last.finished_at is not None
    position = PurgePosition(finished_at=last.finished_at, item_id=first)
    assert ports.purger.purge(tag, older_than=MONTH, after=position, most=9).items == 1
    assert [bool(ports.reader.get(each)) for each in (held, first, third)] == [True, True, False]


def test_requests_are_claimed_by_their_time_and_then_by_their_id(ports: PostgresPorts) -> None:
    ids = [UUID(int=number) for number in (5, 4, 3, 2, 1)]
    for item_id in ids:
        ports.enqueue(item_id=item_id)
    ports.run("UPDATE work_items SET requested_at = '2026-01-02Z'")
    ports.run("UPDATE work_items SET requested_at = '2026-01-01Z' WHERE id = :id", id=ids[2])
    claimed = [ports.claimed().item_id.int for _ in ids]
    assert claimed == [3, 1, 2, 4, 5]


def test_requests_of_one_instant_go_by_their_id_over_all_kinds(ports: PostgresPorts) -> None:
    kinds = [WorkKind.WORK_ITEM_RETENTION, WorkKind.TOKEN_CLEANUP]
    for number, kind in zip((2, 1), kinds, strict=True):
        ports.enqueue(kind, item_id=UUID(int=number))
    ports.run("UPDATE work_items SET requested_at = '2026-01-02Z'")
    assert [ports.claimed().item_id.int for _ in kinds] == [1, 2]


def test_requests_of_one_instant_are_listed_by_their_id(ports: PostgresPorts) -> None:
    for number in (2, 3, 1):
        ports.enqueue(item_id=UUID(int=number))
    ports.run("UPDATE work_items SET requested_at = '2026-01-02Z'")
    page = ports.reader.page(ListFilter(), offset=0, limit=2, count_up_to=9)
    assert [each.item.id.int for each in page.items] == [3, 2]
    assert [each.item.payload for each in page.items] == [{}, {}]


def test_the_longest_expired_is_recovered_first(ports: PostgresPorts) -> None:
    tags = [stalled(ports) for _ in range(3)]
    ports.run(
        "UPDATE work_items SET lease_until = lease_until - interval '1 h' WHERE id = :id",
        id=tags[2].item_id,
    )
    found = ports.execution.stalled(9)
    assert list(found) == [tags[2].item_id, tags[0].item_id, tags[1].item_id]


@pytest.mark.parametrize(("text_", "note"), [("\0", None), ("fine", "n" * 201)])
def test_an_outcome_that_the_database_refuses_is_told_as_unstorable(
    ports: PostgresPorts, text_: str, note: str | None
) -> None:
    ports.enqueue()
    tag = ports.claimed()
    with pytest.raises(OutcomeUnstorable):
        ports.execution.finish(tag, Succeeded({"x": text_}), Progress(note=note))
    assert ports.item(tag.item_id).status is WorkStatus.RUNNING


@pytest.mark.parametrize(("size", "omitted"), [(4096, False), (4097, True)])
def test_a_result_of_4_kib_is_listed_and_one_byte_more_is_not(
    ports: PostgresPorts, size: int, omitted: bool
) -> None:
    ports.enqueue()
    room = size - len('{"x": ""}')
    ports.execution.finish(ports.claimed(), Succeeded({"x": "y" * room}), NO_PROGRESS)
    [listed] = ports.reader.page(ListFilter(), offset=0, limit=1, count_up_to=1).items
    assert listed.result_omitted is omitted
    assert (listed.item.result is None) is omitted
