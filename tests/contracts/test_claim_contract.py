"""Section 5: scope, order, and what a claim writes."""

from datetime import timedelta
from uuid import uuid4

from domain.work.kind import WorkKind
from domain.work.progress import NO_PROGRESS, progress_of
from domain.work.status import WorkStatus
from tests.contracts.harness import LEASE, WorkPorts


def test_a_claim_takes_the_item_whole_under_a_lease(ports: WorkPorts) -> None:
    item_id = ports.enqueue(key="k")
    item = ports.claim(worker="anna@nas")
    assert item is not None
    assert item == ports.item(item_id)
    assert item.status is WorkStatus.RUNNING
    assert item.attempt == 1
    assert item.claimed_by == "anna@nas"
    assert item.started_at is not None
    assert item.lease_until is not None
    assert abs(item.lease_until - item.started_at - LEASE) < timedelta(milliseconds=50)
    assert item.payload == {"kind": "TokenCleanup"}
    assert item.updated_at > item.requested_at


def test_an_item_is_claimed_once(ports: WorkPorts) -> None:
    ports.enqueue()
    assert ports.claim() is not None
    assert ports.claim() is None


def test_the_oldest_request_goes_first_whatever_its_kind_and_scope(ports: WorkPorts) -> None:
    first, second = ports.add_config(), ports.add_config()
    expected = [
        ports.enqueue(WorkKind.CRAWL, scope=second),
        ports.enqueue(WorkKind.TOKEN_CLEANUP),
        ports.enqueue(WorkKind.CRAWL, scope=first),
        ports.enqueue(WorkKind.WORK_ITEM_RETENTION),
        ports.enqueue(WorkKind.CRAWL, scope=second),
        ports.enqueue(WorkKind.TOKEN_CLEANUP),
    ]
    claimed = [ports.claim() for _ in expected]
    assert [item.id for item in claimed if item] == expected


def test_a_users_worker_takes_its_own_scopes_and_unscoped_items_only(ports: WorkPorts) -> None:
    anna, ben = ports.add_user(), ports.add_user()
    annas, bens = ports.add_config(anna), ports.add_config(ben)
    ports.enqueue(WorkKind.CRAWL, scope=bens)
    mine = ports.enqueue(WorkKind.CRAWL, scope=annas)
    unscoped = ports.enqueue()
    claimed = [ports.claim(anna), ports.claim(anna)]
    assert [item.id for item in claimed if item] == [mine, unscoped]
    assert ports.claim(anna) is None


def test_everyones_worker_takes_all_active_scopes(ports: WorkPorts) -> None:
    scopes = [ports.add_config(), ports.add_config()]
    expected = [ports.enqueue(WorkKind.CRAWL, scope=scope) for scope in scopes]
    claimed = [ports.claim() for _ in scopes]
    assert [item.id for item in claimed if item] == expected


def test_items_of_an_inactive_config_wait_until_it_is_active_again(ports: WorkPorts) -> None:
    config = ports.add_config()
    item_id = ports.enqueue(WorkKind.CRAWL, scope=config)
    ports.set_active(config, False)
    assert ports.claim() is None
    assert ports.item(item_id).status is WorkStatus.QUEUED
    ports.set_active(config, True)
    claimed = ports.claim()
    assert claimed is not None
    assert claimed.id == item_id


def test_a_disabled_users_configs_count_as_inactive(ports: WorkPorts) -> None:
    anna = ports.add_user()
    ports.enqueue(WorkKind.CRAWL, scope=ports.add_config(anna))
    ports.disable_user(anna)
    assert ports.claim() is None
    assert ports.claim(anna) is None
    assert ports.scopes.active(None) == ports.scopes.active(anna) == []


def test_a_running_item_of_a_config_that_became_inactive_goes_on(ports: WorkPorts) -> None:
    config = ports.add_config()
    ports.enqueue(WorkKind.CRAWL, scope=config)
    tag = ports.claimed()
    ports.set_active(config, False)
    ports.execution.heartbeat(tag, NO_PROGRESS, LEASE)
    assert ports.item(tag.item_id).status is WorkStatus.RUNNING


def test_unknown_kinds_wait_and_hold_nobody_back(ports: WorkPorts) -> None:
    unknown = ports.enqueue("FromANewerRelease")
    known = ports.enqueue()
    claimed = ports.claim()
    assert claimed is not None
    assert claimed.id == known
    assert ports.claim() is None
    assert ports.item(unknown).status is WorkStatus.QUEUED


def test_a_worker_without_kinds_takes_nothing(ports: WorkPorts) -> None:
    ports.enqueue()
    assert ports.claim(kinds=()) is None


def test_a_second_claim_has_a_number_that_no_earlier_one_had(ports: WorkPorts) -> None:
    ports.enqueue()
    first = ports.claimed()
    ports.execution.heartbeat(first, progress_of(3, 9, "x"), LEASE)
    ports.execution.release(first, None)
    second = ports.claim()
    assert second is not None
    assert (first.attempt, second.attempt) == (1, 2)
    assert second.progress == NO_PROGRESS


def test_active_scopes_are_a_users_own_or_everyones_in_order(ports: WorkPorts) -> None:
    anna = ports.add_user()
    hers = {ports.add_config(anna), ports.add_config(anna)}
    others = {ports.add_config()}
    inactive = ports.add_config(anna)
    ports.set_active(inactive, False)
    assert list(ports.scopes.active(anna)) == sorted(hers)
    assert list(ports.scopes.active(None)) == sorted(hers | others)


def test_a_user_that_does_not_exist_serves_unscoped_items_only(ports: WorkPorts) -> None:
    ports.enqueue(WorkKind.CRAWL, scope=ports.add_config())
    unscoped = ports.enqueue()
    claimed = ports.claim(uuid4())
    assert claimed is not None
    assert claimed.id == unscoped


def test_whom_a_worker_serves_is_found_by_name_whatever_the_case(ports: WorkPorts) -> None:
    user = ports.add_user()
    assert ports.scopes.user_named(str(user).upper()) == user
    assert ports.scopes.user_named("nobody") is None
