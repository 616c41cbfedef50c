"""A Worker remembers where its last look began, and misses nothing by it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

from adapters.postgres.claim_floor import ClaimFloors
from adapters.postgres.engine import (
    ConnectionLimits,
    PostgresAddress,
    is_pooled,
)
from adapters.postgres.work_item_execution import CLAIM, PostgresWorkItemExecution
from application.ports.work_item_execution import ClaimRequest, Serves
from domain.work.outcome import Succeeded
from domain.work.progress import NO_PROGRESS
from tests.contracts.harness import KINDS, LEASE, PostgresPorts, claim_request
from tests.postgres_server import engine_at

pytestmark = pytest.mark.postgres


@dataclass
class HandMoved:
    """Seconds, as the Worker's own clock counts them."""

    seconds: float = 0.0

    def __call__(self) -> float:
        return self.seconds


@dataclass
class Bench:
    """One Worker whose memory of the floor ages by hand."""

    engine: Engine
    clock: HandMoved = field(default_factory=HandMoved)

    def __post_init__(self) -> None:
        self.ports = PostgresPorts(engine=self.engine)
        self.ports.execution = PostgresWorkItemExecution(
            engine=self.engine, floors=ClaimFloors(clock=self.clock)
        )

    def asked(self, seconds_ago: float, scope: UUID | None = None) -> UUID:
        item = self.ports.enqueue(scope=scope)
        self.ports.run(
            "UPDATE work_items SET requested_at = requested_at - :ago WHERE id = :id",
            ago=timedelta(seconds=seconds_ago),
            id=item,
        )
        return item

    def take(self) -> UUID | None:
        item = self.ports.claim()
        return item.id if item else None


@pytest.fixture
def bench(database: PostgresAddress) -> Iterator[Bench]:
    with engine_at(database, ConnectionLimits(pool_size=3)) as engine:
        yield Bench(engine)


def test_what_was_given_back_goes_first_however_old_it_is(bench: Bench) -> None:
    old = bench.asked(3_600)
    tag = bench.ports.claimed()
    bench.clock.seconds = 5.0
    middle = bench.asked(60)
    assert bench.take() == middle  # and the floor is of its request
    newer = bench.asked(1)
    bench.ports.execution.release(tag, None)
    assert [bench.take(), bench.take(), bench.take()] == [old, newer, None]


def test_what_was_recovered_goes_first_too(bench: Bench) -> None:
    old = bench.asked(3_600)
    tag = bench.ports.claimed()
    bench.clock.seconds = 5.0
    middle = bench.asked(60)
    assert bench.take() == middle
    newer = bench.asked(1)
    bench.ports.run("UPDATE work_items SET lease_until = clock_timestamp() WHERE id = :i", i=old)
    bench.ports.execution.recover(tag.item_id, stall_limit=3)
    assert [bench.take(), bench.take()] == [old, newer]


def test_a_request_that_was_long_in_being_committed_goes_before_later_ones(bench: Bench) -> None:
    """8 s is the longest transaction, the floor stays 10 s behind."""
    bench.asked(60)
    assert bench.take() is not None
    later = bench.asked(0)
    committed_late = bench.asked(9)
    assert [bench.take(), bench.take()] == [committed_late, later]


def test_nothing_to_do_is_said_only_after_a_look_from_the_start(bench: Bench) -> None:
    bench.asked(60)
    assert bench.take() is not None
    # As after a step back of the database's clock.
    hidden = bench.asked(3_600)
    assert [bench.take(), bench.take()] == [hidden, None]


def test_a_claim_with_an_outcome_begins_at_the_floor_and_forgets_one_that_found_nothing(
    bench: Bench,
) -> None:
    bench.asked(60)
    tag = bench.ports.claimed()
    hidden = bench.asked(3_600)
    _, item = bench.ports.execution.finish_and_claim(
        tag, Succeeded({}), NO_PROGRESS, claim_request()
    )
    assert item is None  # it is for the claim to say that nothing waits
    assert bench.ports.item(hidden).attempt == 0
    bench.asked(1)
    assert [bench.take(), bench.take() is not None] == [hidden, True]


def test_the_floor_is_looked_for_anew_after_five_seconds(bench: Bench) -> None:
    bench.asked(60)
    assert bench.take() is not None
    hidden, newer, newest = bench.asked(3_600), bench.asked(2), bench.asked(1)
    bench.clock.seconds = 4.9
    assert bench.take() == newer
    bench.clock.seconds = 5.0
    assert [bench.take(), bench.take()] == [hidden, newest]


def test_a_scope_that_becomes_active_again_is_not_overtaken(bench: Bench) -> None:
    scope = bench.ports.add_config()
    waiting = bench.asked(3_600, scope)
    bench.ports.set_active(scope, False)
    first = bench.asked(60)
    assert bench.take() == first  # and the floor is of its request
    newer = bench.asked(1, scope)
    bench.ports.set_active(scope, True)
    assert [bench.take(), bench.take()] == [waiting, newer]


def test_a_scope_that_sleeps_for_months_does_not_hold_the_floor_down(bench: Bench) -> None:
    scope = bench.ports.add_config()
    bench.asked(3_600, scope)
    bench.ports.set_active(scope, False)
    assert bench.asked(60) == bench.take()
    hidden, newer = bench.asked(1_800), bench.asked(1)
    assert [bench.take(), bench.take()] == [newer, hidden]  # so the floor is above the hidden one


def test_where_nothing_waited_the_next_claim_looks_anew(bench: Bench) -> None:
    """A commit that hung, on a replica say, may be of any age."""
    assert bench.take() is None
    hung, newer = bench.asked(60), bench.asked(1)
    assert [bench.take(), bench.take()] == [hung, newer]


def test_after_a_fault_the_next_claim_looks_anew(bench: Bench) -> None:
    """Another server may answer now, which knows of other claims."""
    first = bench.asked(60)
    assert bench.take() == first
    lost, newer = bench.asked(3_600), bench.asked(1)
    bench.ports.run("ALTER TABLE work_items RENAME TO away")
    with pytest.raises(DBAPIError):
        bench.take()
    bench.ports.run("ALTER TABLE away RENAME TO work_items")
    assert [bench.take(), bench.take()] == [lost, newer]


def test_a_request_of_an_impossible_year_stops_nobody(bench: Bench) -> None:
    scope = bench.ports.add_config()
    odd = bench.asked(0, scope)
    bench.ports.run("UPDATE work_items SET requested_at = '-infinity' WHERE id = :id", id=odd)
    user = bench.ports.add_user()
    bench.asked(60)
    assert bench.ports.claim(user) is not None
    with pytest.raises(Exception, match="timestamp too small"):
        bench.take()  # claimed and unreadable: its lease settles it
    if not is_pooled(bench.engine):  # there the claim is one transaction with its answer's reading
        assert bench.take() is None


def test_each_who_looks_has_a_floor_of_its_own(bench: Bench) -> None:
    user = bench.ports.add_user()
    scope = bench.ports.add_config()
    waiting = bench.asked(3_600, scope)
    bench.asked(60)
    assert bench.ports.claim(user) is not None  # serves others' scopes not
    newer = bench.asked(1)
    assert [bench.take(), bench.take()] == [waiting, newer]


def test_claims_do_not_step_over_what_a_held_snapshot_keeps(bench: Bench) -> None:
    """Buffers of the claim over 20,000 dead entries, from the start and from the floor."""
    ports = bench.ports
    with bench.engine.connect() as holder:
        holder.execution_options(isolation_level="REPEATABLE READ")
        holder.execute(text("SELECT FROM work_items"))
        ports.run(
            "INSERT INTO work_items (id, kind, payload, requested_at)"
            " SELECT gen_random_uuid(), 'TokenCleanup', '{}', clock_timestamp() - interval '1 min'"
            " FROM generate_series(1, 20000)"
        )
        ports.run(
            "UPDATE work_items SET status = 'Cancelled', finished_at = clock_timestamp()"
            " WHERE requested_at < clock_timestamp() - interval '30 s'"
        )
        ports.enqueue()
        floor = ports.now() - timedelta(seconds=10)
        from_start, from_floor = buffers(bench, None), buffers(bench, floor)
        assert from_start > 1_000
        assert from_floor < 60
        assert (
            ports.execution.claim(
                ClaimRequest(serves=Serves(), kinds=KINDS, worker="w", lease=LEASE)
            )
            is not None
        )


def buffers(bench: Bench, floor: object) -> int:
    """What the claim reads; it is rolled back."""
    parameters = {
        **CLAIM.constants,
        "user_id": None,
        "kinds": list(KINDS),
        "floor": floor,
        "asleep": [],
        "worker": "w",
        "lease": LEASE,
    }
    connection = bench.engine.raw_connection()
    try:
        driver = connection.driver_connection
        assert driver is not None
        statement = f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {CLAIM.text}"
        plan = driver.cursor().execute(statement, parameters).fetchone()[0][0]["Plan"]
        return int(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"])
    finally:
        connection.close()
