"""The parts of a Worker's execution around doubles, put together once; tests name what they vary.

The inbox brings its stopwatch along, which all parts share.
"""

from datetime import timedelta
from typing import Generic, TypeVar

from application.execution.claim_work import ClaimWork
from application.execution.execute_work import ExecuteWork
from application.execution.finish_and_claim import FinishAndClaim
from application.execution.keep_lease import KeepLease
from application.execution.write_outcome import WriteOutcome
from application.ports.runner import Runner
from application.ports.work_item_execution import Serves, WorkItemExecution
from domain.work.item import WorkItem
from domain.work.status import WorkStatus
from tests.contracts.harness import LEASE, InMemoryPorts
from tests.fakes.execution import HandMovedStopwatch, ScriptedInbox
from tests.fakes.work_table import InMemoryWorkItemExecution

GRACE = timedelta(seconds=8)
StoreT = TypeVar("StoreT", bound=InMemoryWorkItemExecution)


class RunningItem(Generic[StoreT]):
    """An item that is ours, in a store of the given class, with time that the inbox moves."""

    def __init__(self, store: type[StoreT]) -> None:
        self.ports = InMemoryPorts()
        self.stopwatch = HandMovedStopwatch()
        self.inbox = ScriptedInbox(self.stopwatch)
        self.store = store(self.ports.table)
        self.item_id = self.ports.enqueue()
        self.tag = self.ports.claimed()

    def item(self) -> WorkItem:
        return self.ports.item(self.item_id)

    def status(self) -> WorkStatus:
        return self.item().status


def write_outcome(
    store: WorkItemExecution,
    inbox: ScriptedInbox,
    *,
    stall_limit: int = 3,
    grace: timedelta = GRACE,
) -> WriteOutcome:
    return WriteOutcome(
        execution=store,
        inbox=inbox,
        stopwatch=inbox.stopwatch,
        stall_limit=stall_limit,
        longest_pause=timedelta(seconds=5),
        grace=grace,
    )


def finish_and_claim(
    store: WorkItemExecution, inbox: ScriptedInbox, *, grace: timedelta = GRACE
) -> FinishAndClaim:
    claim = ClaimWork(
        execution=store,
        serves=Serves(),
        worker="w@here",
        lease=LEASE,
        stopwatch=inbox.stopwatch,
    )
    outcome = write_outcome(store, inbox, grace=grace)
    return FinishAndClaim(claim=claim, write_outcome=outcome, inbox=inbox)


def keep_lease(store: WorkItemExecution, inbox: ScriptedInbox, runner: Runner) -> KeepLease:
    return KeepLease(
        execution=store, runner=runner, stopwatch=inbox.stopwatch, inbox=inbox, lease=LEASE
    )


def execute_work(
    store: WorkItemExecution, inbox: ScriptedInbox, runner: Runner, *, grace: timedelta = GRACE
) -> ExecuteWork:
    """The whole executor; its `keep_lease` and its claim are to be had from it."""
    return ExecuteWork(
        runner=runner,
        keep_lease=keep_lease(store, inbox, runner),
        finish_and_claim=finish_and_claim(store, inbox, grace=grace),
        inbox=inbox,
        stopwatch=inbox.stopwatch,
        grace=grace,
    )
