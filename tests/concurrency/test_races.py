"""Two or more connections at once: each race ends in exactly one of its outcomes."""

import random
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from sqlalchemy import text

from application.ports.work_item_canceller import (
    AlreadyFinished,
    CancelledAtOnce,
    CancelRequested,
)
from application.ports.work_item_execution import Refused, Settled
from domain.work.attempt import AttemptTag
from domain.work.item import WorkItem
from domain.work.kind import WorkKind
from domain.work.outcome import Succeeded
from domain.work.progress import NO_PROGRESS
from domain.work.status import WorkStatus
from tests.concurrency.crowd import all_at_once, held_row
from tests.contracts.harness import PostgresPorts, new_item

pytestmark = [pytest.mark.postgres, pytest.mark.slow]
DAY = timedelta(hours=24)


def statuses(ports: PostgresPorts) -> dict[str, int]:
    with ports.engine.connect() as connection:
        rows = connection.execute(text("SELECT status, count(*) FROM work_items GROUP BY status"))
        return {row[0]: row[1] for row in rows}


# ---------------------------------------------------------------- claims


def test_no_two_workers_ever_get_the_same_item_and_none_is_left(ports: PostgresPorts) -> None:
    scopes = [None, *(ports.add_config() for _ in range(4))]
    for number in range(200):
        scope = scopes[number % len(scopes)]
        ports.enqueue(WorkKind.CRAWL if scope else WorkKind.TOKEN_CLEANUP, scope=scope)

    def drain() -> list[UUID]:
        claimed = []
        while item := ports.claim():
            claimed.append(item.id)
        return claimed

    shares = all_at_once([drain] * 12)
    taken = [item_id for share in shares for item_id in share]
    assert len(taken) == len(set(taken)) == 200
    assert statuses(ports) == {"Running": 200}


def test_a_claim_passes_over_what_somebody_holds_and_never_says_nothing_to_do(
    ports: PostgresPorts,
) -> None:
    first, second = ports.enqueue(), ports.enqueue()
    hold = "SELECT 1 FROM work_items WHERE id = :id FOR UPDATE"
    with held_row(ports.engine, hold, id=first):
        claimed = ports.claim()
    assert claimed is not None
    assert claimed.id == second


# ---------------------------------------------------------------- enqueue


def test_fifty_concurrent_enqueues_of_one_key_make_one_waiting_item(ports: PostgresPorts) -> None:
    answers = all_at_once([lambda: ports.queue.enqueue(new_item(key="k"))] * 50)
    assert len({answer.id for answer in answers}) == 1
    assert sum(not answer.coalesced for answer in answers) == 1
    assert statuses(ports) == {"Queued": 1}


def test_rolled_back_enqueues_leave_every_committed_caller_a_living_id(
    ports: PostgresPorts,
) -> None:
    def enqueue(fails: bool) -> UUID | None:
        with suppress(ZeroDivisionError), ports.transactions.begin() as transaction:
            [answer] = ports.queue.enqueue_within(transaction, [new_item(key="k")])
            return answer.id if 1 / (not fails) else None
        return None

    acts: list[Callable[[], UUID | None]] = [
        lambda fails=number % 3 == 0: enqueue(fails)  # type: ignore[misc]
        for number in range(50)
    ]
    for _ in range(5):
        committed = {item_id for item_id in all_at_once(acts) if item_id}
        assert len(committed) == 1
        assert ports.item(committed.pop()).status is WorkStatus.QUEUED


def test_a_twin_that_a_callers_transaction_relies_on_cannot_be_claimed_before_its_commit(
    ports: PostgresPorts,
) -> None:
    waiting = ports.enqueue(key="k")
    with ports.transactions.begin() as transaction:
        [answer] = ports.queue.enqueue_within(transaction, [new_item(key="k")])
        assert (answer.id, answer.coalesced) == (waiting, True)
        assert ports.claim() is None
    claimed = ports.claim()
    assert claimed is not None
    assert claimed.id == waiting


def test_keys_in_any_order_do_not_deadlock(ports: PostgresPorts) -> None:
    def enqueue(seed: int) -> int:
        keys = [f"k{number}" for number in range(6)]
        random.Random(seed).shuffle(keys)  # noqa: S311
        with ports.transactions.begin() as transaction:
            return len(ports.queue.enqueue_within(transaction, [new_item(key=k) for k in keys]))

    acts: list[Callable[[], int]] = [
        lambda seed=seed: enqueue(seed)  # type: ignore[misc]
        for seed in range(12)
    ]
    assert all_at_once(acts) == [6] * 12
    assert statuses(ports) == {"Queued": 6}


def test_while_the_waiting_item_is_claimed_or_cancelled_nobody_gets_a_dead_id(
    ports: PostgresPorts,
) -> None:
    def off_the_queue() -> set[UUID]:
        with ports.engine.connect() as connection:
            return set(
                connection.execute(
                    text("SELECT id FROM work_items WHERE status <> 'Queued'")
                ).scalars()
            )

    def enqueue_many() -> list[bool]:
        # What was seen to have left the queue before the request: instants would not tell, for a
        # claim is stamped before anybody can see it.
        answers = []
        for _ in range(40):
            dead = off_the_queue()
            answers.append(ports.queue.enqueue(new_item(key="k")).id in dead)
        return answers

    def take_away() -> list[bool]:
        for turn in range(40):
            if turn % 2:
                ports.claim()
            else:
                ports.run("UPDATE storage_configs SET is_active = true")  # only time passes
                with ports.engine.connect() as connection:
                    waiting = connection.execute(
                        text("SELECT id FROM work_items WHERE status = 'Queued'")
                    ).scalar()
                if waiting:
                    ports.canceller.cancel(waiting)
        return []

    answers = [each for part in all_at_once([enqueue_many] * 4 + [take_away] * 2) for each in part]
    assert answers == [False] * 160


# ---------------------------------------------------------------- schedulers


@pytest.mark.parametrize("workers_finish", [False, True])
def test_many_schedulers_make_one_item_a_slot(ports: PostgresPorts, workers_finish: bool) -> None:
    def schedule() -> int:
        return sum(ports.queue.enqueue_if_due(new_item(key="k"), DAY) is not None for _ in range(5))

    def work() -> int:
        for _ in range(30):
            if workers_finish and (item := ports.claim()):
                ports.execution.finish(item.tag(), Succeeded({}), NO_PROGRESS)
        return 0

    for slot in range(1, 13):
        made = sum(all_at_once([schedule] * 8 + [work] * 2))
        while item := ports.claim():
            ports.execution.finish(item.tag(), Succeeded({}), NO_PROGRESS)
        assert made == 1
        assert statuses(ports) == {"Succeeded": slot}
        ports.advance(DAY + timedelta(seconds=1))


def test_a_scheduler_skips_a_key_that_somebody_decides(ports: PostgresPorts) -> None:
    lock = "SELECT pg_advisory_xact_lock(hashtextextended('k', 276))"
    with held_row(ports.engine, lock):
        assert ports.queue.enqueue_if_due(new_item(key="k"), DAY) is None
    assert ports.queue.enqueue_if_due(new_item(key="k"), DAY) is not None


# ---------------------------------------------------------------- recovery


def expired(ports: PostgresPorts, key: str | None = None) -> AttemptTag:
    ports.enqueue(key=key)
    tag = ports.claimed()
    ports.run(
        "UPDATE work_items SET lease_until = clock_timestamp() - interval '1 s' WHERE id = :id",
        id=tag.item_id,
    )
    return tag


def test_many_recoveries_of_one_stall_count_it_once(ports: PostgresPorts) -> None:
    for _ in range(10):
        tag = expired(ports)
        answers = all_at_once(
            [lambda: ports.execution.recover(tag.item_id, stall_limit=3)] * 8  # noqa: B023
        )
        assert answers.count(Settled(status=WorkStatus.QUEUED)) == 1
        assert ports.item(tag.item_id).stalls == 1
        ports.run("DELETE FROM work_items")


@pytest.mark.parametrize("act", ["recover", "release"])
def test_a_twin_that_is_being_enqueued_ends_the_older_item_without_an_error(
    ports: PostgresPorts, act: str
) -> None:
    for _ in range(25):
        tag = expired(ports, key="k")

        def settle(tag: AttemptTag = tag) -> object:
            if act == "release":
                return ports.execution.release(tag, None)
            while (
                answer := ports.execution.recover(tag.item_id, stall_limit=3)
            ) is Refused.NOT_NOW:
                pass
            return answer

        acts: list[Callable[[], object]] = [
            settle,
            lambda: ports.queue.enqueue(new_item(key="k")),
        ]
        all_at_once(acts)
        assert statuses(ports) in ({"Queued": 1, "Cancelled": 1}, {"Queued": 1})
        ports.run("DELETE FROM work_items")


def test_a_recovery_that_races_the_outcome_ends_in_one_of_the_two(ports: PostgresPorts) -> None:
    seen = set()
    for _ in range(25):
        tag = expired(ports)
        finished, recovered = all_at_once(
            [
                lambda: ports.execution.finish(tag, Succeeded({}), NO_PROGRESS),  # noqa: B023
                lambda: ports.execution.recover(tag.item_id, stall_limit=3),  # noqa: B023
            ]
        )
        item = ports.item(tag.item_id)
        if item.status is WorkStatus.SUCCEEDED:
            assert finished == Settled(status=WorkStatus.SUCCEEDED)
            assert recovered in {Refused.FINISHED, Refused.NOT_NOW}
        else:
            assert (item.status, item.stalls) == (WorkStatus.QUEUED, 1)
            assert finished is Refused.FENCED_OFF
        seen.add(item.status)
        ports.run("DELETE FROM work_items")
    assert seen


@pytest.mark.parametrize("first", ["the owner", "recovery"])
def test_between_recoverys_look_and_its_write_the_other_may_be_faster(
    ports: PostgresPorts, first: str
) -> None:
    tag = expired(ports)
    [seen] = ports.execution.stalled(10)
    if first == "the owner":
        ports.execution.finish(tag, Succeeded({}), NO_PROGRESS)
        assert ports.execution.recover(seen, stall_limit=3) is Refused.FINISHED
        assert ports.item(seen).status is WorkStatus.SUCCEEDED
    else:
        ports.execution.recover(seen, stall_limit=3)
        answer = ports.execution.finish(tag, Succeeded({}), NO_PROGRESS)
        assert answer is Refused.FENCED_OFF
        assert ports.item(seen).status is WorkStatus.QUEUED


def test_one_pass_settles_200_items_whatever_is_wrong_with_some(ports: PostgresPorts) -> None:
    from application.execution.recover_stalled import RecoverStalled

    ids = [expired(ports, key=f"k{number}").item_id for number in range(200)]
    twin = ports.enqueue(key="k0")
    ports.run("UPDATE work_items SET kind = 'FromANewerRelease' WHERE id = :id", id=ids[1])
    ports.run("UPDATE work_items SET stalls = 2 WHERE id = :id", id=ids[2])
    assert RecoverStalled(execution=ports.execution, stall_limit=3)() == 200
    assert ports.item(ids[0]).error == f"superseded by {twin}"
    assert ports.item(ids[1]).status is WorkStatus.QUEUED
    assert ports.item(ids[2]).status is WorkStatus.FAILED
    assert statuses(ports) == {"Cancelled": 1, "Failed": 1, "Queued": 199}


def test_impossible_numbers_cost_only_their_own_item(ports: PostgresPorts) -> None:
    stalled, used_up, good = expired(ports).item_id, ports.enqueue(), ports.enqueue()
    ports.run("UPDATE work_items SET attempt = 2147483647 WHERE id = :id", id=used_up)
    ports.run("UPDATE work_items SET stalls = 2147483647 WHERE id = :id", id=stalled)
    answer = ports.execution.recover(stalled, stall_limit=3)
    assert answer == Settled(status=WorkStatus.FAILED)
    claimed = ports.claim()
    assert claimed is not None
    assert claimed.id == good
    assert ports.item(used_up).status is WorkStatus.QUEUED


def test_a_number_too_long_for_python_is_read_as_text(ports: PostgresPorts) -> None:
    item_id = ports.enqueue()
    ports.run("UPDATE work_items SET payload = '{\"a\": 1e5000}' WHERE id = :id", id=item_id)
    claimed = ports.claim()
    assert claimed is not None
    assert claimed.payload == {"a": "1" + "0" * 5000}


def test_an_item_that_somebody_holds_is_passed_over_at_once(ports: PostgresPorts) -> None:
    held, free = expired(ports), expired(ports)
    hold = "SELECT 1 FROM work_items WHERE id = :id FOR UPDATE"
    with held_row(ports.engine, hold, id=held.item_id):
        assert ports.execution.recover(held.item_id, stall_limit=3) is Refused.NOT_NOW
        answer = ports.execution.recover(free.item_id, stall_limit=3)
    assert answer == Settled(status=WorkStatus.QUEUED)


def test_recovery_beside_deletions_of_its_configs_never_deadlocks(ports: PostgresPorts) -> None:
    for _ in range(8):
        configs = [ports.add_config() for _ in range(6)]
        for config in configs:
            for _ in range(3):
                ports.enqueue(WorkKind.CRAWL, scope=config)
                ports.claimed()
        ports.run("UPDATE work_items SET lease_until = clock_timestamp() - interval '1 s'")

        def recover() -> list[object]:
            found = ports.execution.stalled(100)
            return [ports.execution.recover(each, stall_limit=3) for each in found]

        def delete(configs: list[UUID] = configs) -> list[object]:
            for config in configs:
                ports.delete_config(config)
            return []

        all_at_once([recover, recover, recover, delete])
        assert statuses(ports) == {}


# ---------------------------------------------------------------- cancel


def test_a_cancel_that_races_claims_and_ends_answers_the_truth(ports: PostgresPorts) -> None:
    for turn in range(40):
        item_id = ports.enqueue()
        if turn % 2:
            ports.claim()

        def move(item_id: UUID = item_id) -> WorkItem | None:
            if claimed := ports.claim():
                return claimed
            tag = AttemptTag(item_id=item_id, attempt=1)
            ports.execution.finish(tag, Succeeded({}), NO_PROGRESS)
            return None

        acts: list[Callable[[], object]] = [lambda: ports.canceller.cancel(item_id), move]  # noqa: B023
        answer, claimed = all_at_once(acts)
        item = ports.item(item_id)
        if isinstance(answer, CancelledAtOnce):
            assert (item.status, claimed) == (WorkStatus.CANCELLED, None)
        elif isinstance(answer, CancelRequested):
            assert item.cancel_requested_at is not None
        else:
            assert isinstance(answer, AlreadyFinished)
            assert answer.item == item
        ports.run("DELETE FROM work_items")


def test_two_attempts_beat_and_only_one_is_heard(ports: PostgresPorts) -> None:
    tag = expired(ports)
    ports.execution.recover(tag.item_id, stall_limit=3)
    current = ports.claimed()
    assert current.item_id == tag.item_id
    unknown = AttemptTag(item_id=uuid4(), attempt=1)
    answers = [
        ports.execution.heartbeat(each, NO_PROGRESS, DAY) for each in (tag, current, unknown)
    ]
    assert answers[0] is Refused.FENCED_OFF
    assert answers[1] is not Refused.FENCED_OFF
    assert answers[2] is Refused.UNKNOWN
