"""When the loop claims, when it waits, and what it says when it cannot do either."""

from collections.abc import Sequence

import pytest
from typing_extensions import override

from application.execution.inbox import RunEnded, ShutDown, ShutDownNow
from application.ports.runner import Returned, RunnerUnfit
from application.ports.work_item_execution import ClaimRequest
from domain.errors import DatabaseUnavailable
from domain.work.attempt import AttemptTag
from domain.work.item import WorkItem
from domain.work.progress import NO_PROGRESS
from domain.work.status import WorkStatus
from entrypoints.worker.loop import share_of_poll
from tests.entrypoints.worker.loop.stage import READY, Stage, lines
from tests.fakes.execution import ScriptedRunner
from tests.fakes.work_table import InMemoryWorkItemExecution
from tests.log_records import caught_by


def test_where_nothing_waits_it_polls_until_it_is_stopped(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    stage.inbox.at(5, ShutDown())
    assert stage.run() == 0
    assert stage.inbox.waits == [2, 2, 2]
    assert lines(caplog) == [READY]


def test_polls_are_spread_so_that_workers_do_not_stay_in_step(stage: Stage) -> None:
    shares = [share_of_poll() for _ in range(300)]
    assert 0.9 <= min(shares) < 0.92
    assert 0.98 < max(shares) <= 1
    stage.share_of_poll = 0.95
    stage.inbox.at(1, ShutDown())
    stage.run()
    assert stage.inbox.waits == [1.9]


def test_items_are_run_one_after_another_without_a_pause(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = stage.ports.enqueue(), stage.ports.enqueue()
    for seconds, item_id in ((0.5, first), (0.6, second)):
        tag = AttemptTag(item_id=item_id, attempt=1)
        stage.inbox.at(seconds, RunEnded(tag, Returned({}), NO_PROGRESS))
    stage.inbox.at(1, ShutDown())
    assert stage.run() == 0
    for item_id in (first, second):
        assert stage.ports.item(item_id).status is WorkStatus.SUCCEEDED
    # Two of the executor, then the one poll that finds nothing.
    assert stage.inbox.waits == [1, 1, 2]
    claimed = [each for each in caplog.records if each.getMessage() == "claimed TokenCleanup"]
    about = [
        tuple(each.__dict__[name] for name in ("item_id", "kind", "attempt")) for each in claimed
    ]
    assert about == [(first, "TokenCleanup", 1), (second, "TokenCleanup", 1)]


def test_a_lease_counts_from_when_its_claim_was_sent(stage: Stage) -> None:
    class Slow(InMemoryWorkItemExecution):
        @override
        def claim(self, request: ClaimRequest) -> WorkItem | None:
            stage.stopwatch.seconds += 50
            return super().claim(request)

    stage.store = Slow(stage.ports.table)
    stage.ports.enqueue()
    began = stage.stopwatch.seconds
    # Its lease of 60 s has 10 left when the answer comes; no beat makes it longer.
    stage.inbox.at(65, ShutDownNow())
    assert stage.run() == 0
    assert stage.runner.stopped_at == [began + 60]


def test_told_to_stop_while_the_runner_starts_it_claims_nothing(stage: Stage) -> None:
    class Slow(ScriptedRunner):
        starts = 0

        @override
        def ensure_ready(self) -> Sequence[str]:
            self.starts += 1
            if self.starts == 2:  # the first was before the loop
                stage.inbox.put(ShutDown())
            return super().ensure_ready()

    stage.runner = Slow(stage.stopwatch, kinds=("TokenCleanup",))
    item_id = stage.ports.enqueue()
    assert stage.run() == 0
    item = stage.ports.item(item_id)
    assert (item.status, item.attempt) == (WorkStatus.QUEUED, 0)


class Faulty(InMemoryWorkItemExecution):
    """Raises what it is given, one claim after another; None is a claim that finds nothing."""

    faults: list[Exception | None]

    @override
    def claim(self, request: ClaimRequest) -> WorkItem | None:
        fault = self.faults.pop(0)
        if fault is None:
            return super().claim(request)
        raise fault


def faulty(stage: Stage, *faults: Exception | None) -> None:
    stage.store = store = Faulty(stage.ports.table)
    store.faults = list(faults)
    # One poll for each, and the last is told to stop.
    stage.inbox.at(2 * len(faults) - 1, ShutDown())


def test_a_fault_of_the_claim_is_logged_once_and_the_next_poll_tries_again(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    faulty(stage, ValueError("odd"), ValueError("odd"), ValueError("other"), None)
    assert stage.run() == 0
    said = ("ERROR", "cannot claim; trying again at every poll")
    assert lines(caplog) == [READY, said, said]
    faults = [caught_by(each) for each in caplog.records if each.levelname == "ERROR"]
    assert [str(each) for each in faults] == ["odd", "other"]
    assert stage.inbox.waits == [2, 2, 2, 2]


def test_an_outage_is_said_when_it_begins_and_when_it_is_over(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    away = DatabaseUnavailable("away")
    faulty(stage, away, away, None, None, away, None)
    assert stage.run() == 0
    begun = ("WARNING", "cannot claim: away; trying again at every poll")
    over = ("INFO", "the database is back")
    assert lines(caplog) == [READY, begun, over, begun, over]
    warned = [caught_by(each) for each in caplog.records if each.levelname == "WARNING"]
    assert warned == [away, away]
    assert len(stage.inbox.waits) == 6


class Unfit(ScriptedRunner):
    """Refuses to start, by turns; the first start is the one before the loop."""

    fit: list[bool]

    @override
    def ensure_ready(self) -> Sequence[str]:
        if not self.fit.pop(0):
            raise RunnerUnfit("no")
        return super().ensure_ready()


def unfit(stage: Stage, *fit: bool) -> None:
    stage.runner = runner = Unfit(stage.stopwatch)
    runner.fit = list(fit)


def test_a_runner_that_never_comes_up_ends_the_worker_with_a_status(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    unfit(stage, True, False, False, False, False, False)
    assert stage.run() == 1
    complaints = [("ERROR", f"no ({number} in a row)") for number in (1, 2, 3, 4, 5)]
    assert lines(caplog) == [READY, *complaints]
    assert stage.inbox.stopping == ShutDownNow(broken="runner")


def test_only_starts_that_fail_in_a_row_are_counted(stage: Stage) -> None:
    bad = [False] * 4
    unfit(stage, True, *bad, True, *bad, True)
    stage.inbox.at(19, ShutDown())
    assert stage.run() == 0
