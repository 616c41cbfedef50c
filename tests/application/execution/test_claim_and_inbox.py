"""The claim's parameters, and the inbox's memory for shut-downs."""

import threading
import time
from datetime import timedelta
from uuid import UUID

from application.execution.claim_work import ClaimWork
from application.execution.inbox import CancelSeen, Inbox, ShutDown, ShutDownNow
from application.ports.work_item_execution import Serves
from domain.work.attempt import AttemptTag
from domain.work.kind import WorkKind
from tests.contracts.harness import InMemoryPorts
from tests.fakes.execution import HandMovedStopwatch


def test_a_claim_is_made_for_whom_the_worker_serves_under_its_lease() -> None:
    ports = InMemoryPorts()
    anna = ports.add_user()
    config = ports.add_config(anna)
    ports.enqueue(WorkKind.CRAWL, scope=ports.add_config())
    mine = ports.enqueue(WorkKind.CRAWL, scope=config)
    claim = ClaimWork(
        execution=ports.execution,
        serves=Serves(user_id=anna),
        worker="anna@nas",
        lease=timedelta(seconds=7),
        stopwatch=HandMovedStopwatch(seconds=12.5),
    )
    assert claim(["TokenCleanup"]) is None
    claimed = claim(["Crawl"])
    assert claimed is not None
    item = claimed.item
    assert (item.id, item.claimed_by) == (mine, "anna@nas")
    assert item.lease_until == ports.now() + timedelta(seconds=7)
    assert claimed.sent == 12.5
    assert claim(["Crawl"]) is None


def test_signals_come_in_the_order_of_their_arrival() -> None:
    inbox = Inbox()
    first, second = (CancelSeen(AttemptTag(item_id=UUID(int=n), attempt=1)) for n in (1, 2))
    inbox.put(first)
    inbox.put(second)
    assert [inbox.next(0), inbox.next(0), inbox.next(0)] == [first, second, None]
    assert inbox.stopping is None


def test_waiting_ends_with_a_signal_or_with_its_time() -> None:
    inbox = Inbox()
    began = time.monotonic()
    assert inbox.next(0.05) is None
    assert 0.05 <= time.monotonic() - began < 0.9
    threading.Timer(0.05, inbox.put, [ShutDown()]).start()
    assert inbox.next(30) == ShutDown()
    assert inbox.next(-1) is None


def test_the_most_urgent_shut_down_stays_known() -> None:
    inbox = Inbox()
    known: list[object] = []
    for signal in (ShutDown(), ShutDownNow(broken="heartbeat"), ShutDown()):
        inbox.put(signal)
        known.append(inbox.stopping)
    assert known == [ShutDown(), *[ShutDownNow(broken="heartbeat")] * 2]
    assert inbox.next(0) == ShutDown()
