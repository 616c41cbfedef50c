"""The parts of a Worker's execution around doubles, put together once; tests name what they vary.

The inbox brings its stopwatch along, which all parts share.
"""

from datetime import timedelta

from application.execution.claim_work import ClaimWork
from application.execution.execute_work import ExecuteWork
from application.execution.finish_and_claim import FinishAndClaim
from application.execution.keep_lease import KeepLease
from application.execution.write_outcome import WriteOutcome
from application.ports.runner import Runner
from application.ports.work_item_execution import Serves, WorkItemExecution
from tests.contracts.harness import LEASE
from tests.fakes.execution import ScriptedInbox

GRACE = timedelta(seconds=8)


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
