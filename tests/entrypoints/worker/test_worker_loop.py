"""The main loop around doubles: when it claims, when it waits, and how it ends."""

import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from datetime import timedelta

import pytest
from typing_extensions import override

from application.execution.claim_work import ClaimWork
from application.execution.execute_work import ExecuteWork
from application.execution.finish_and_claim import FinishAndClaim
from application.execution.inbox import RunEnded, ShutDown, ShutDownNow
from application.execution.keep_lease import KeepLease
from application.execution.write_outcome import WriteOutcome
from application.ports.runner import Returned, RunnerUnfit, Stopped
from application.ports.work_item_execution import Answer, ClaimRequest, Serves
from domain.errors import DatabaseUnavailable
from domain.work.attempt import AttemptTag
from domain.work.item import WorkItem
from domain.work.outcome import Failed, Succeeded
from domain.work.progress import NO_PROGRESS, Progress
from domain.work.status import WorkStatus
from entrypoints.worker.loop import WorkerLoop, share_of_poll
from entrypoints.worker.loops import Loop
from tests.contracts.harness import LEASE, InMemoryPorts
from tests.fakes.execution import HandMovedStopwatch, ScriptedInbox, ScriptedRunner
from tests.fakes.work_table import InMemoryWorkItemExecution
from tests.log_records import caught_by

GRACE = timedelta(seconds=8)


class Stage:
    def __init__(self) -> None:
        self.ports = InMemoryPorts()
        self.store: InMemoryWorkItemExecution = InMemoryWorkItemExecution(self.ports.table)
        self.stopwatch = HandMovedStopwatch()
        self.inbox = ScriptedInbox(self.stopwatch)
        self.runner = ScriptedRunner(self.stopwatch, kinds=("TokenCleanup",))
        self.side_loops: tuple[Loop, ...] = ()
        self.share_of_poll = 1.0

    def loop(self, grace_seconds: float = 8, exit_slack_seconds: float = 1.5) -> WorkerLoop:
        keep_lease = KeepLease(
            execution=self.store,
            runner=self.runner,
            stopwatch=self.stopwatch,
            inbox=self.inbox,
            lease=LEASE,
        )
        write_outcome = WriteOutcome(
            execution=self.store,
            inbox=self.inbox,
            stopwatch=self.stopwatch,
            stall_limit=3,
            longest_pause=timedelta(seconds=5),
            grace=GRACE,
        )
        claim = ClaimWork(
            execution=self.store,
            serves=Serves(),
            worker="w",
            lease=LEASE,
            stopwatch=self.stopwatch,
        )
        return WorkerLoop(
            claim=claim,
            execute=ExecuteWork(
                runner=self.runner,
                keep_lease=keep_lease,
                finish_and_claim=FinishAndClaim(
                    claim=claim, write_outcome=write_outcome, inbox=self.inbox
                ),
                inbox=self.inbox,
                stopwatch=self.stopwatch,
                grace=GRACE,
            ),
            runner=self.runner,
            inbox=self.inbox,
            side_loops=self.side_loops,
            poll_seconds=2,
            share_of_poll=lambda: self.share_of_poll,
            grace_seconds=grace_seconds,
            exit_slack_seconds=exit_slack_seconds,
        )

    def run(self) -> int:
        return self.loop().run()


class Exits:
    """Notes with which statuses the process would have been left at once."""

    def __init__(self) -> None:
        self.statuses: list[int] = []
        self._left = threading.Event()

    def __call__(self, status: int) -> None:
        self.statuses.append(status)
        self._left.set()

    def wait(self) -> bool:
        return self._left.wait(20)


@pytest.fixture(autouse=True)
def exits(monkeypatch: pytest.MonkeyPatch) -> Iterator[Exits]:
    """The loop takes signals for itself, and may end the process; the tests' own must go on."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    exits = Exits()
    monkeypatch.setattr(os, "_exit", exits)
    yield exits
    for number, handler in before.items():
        signal.signal(number, handler)
    for timer in exit_timers():
        timer.cancel()
        timer.join(5)  # one that has fired would end the process for good once `_exit` is real


def exit_timers() -> list[threading.Timer]:
    return [each for each in threading.enumerate() if isinstance(each, threading.Timer)]


@pytest.fixture
def stage(caplog: pytest.LogCaptureFixture) -> Stage:
    caplog.set_level("INFO")
    return Stage()


def lines(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    """What the loop itself said."""
    mine = [each for each in caplog.records if each.name == "entrypoints.worker.loop"]
    return [(each.levelname, each.getMessage()) for each in mine]


READY = ("INFO", "ready to work")

# ---------------------------------------------------------------- claiming


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


def test_an_item_that_came_with_an_outcome_is_run_before_anything_is_claimed(
    stage: Stage,
) -> None:
    class Counting(InMemoryWorkItemExecution):
        claims = 0

        @override
        def claim(self, request: ClaimRequest) -> WorkItem | None:
            self.claims += 1
            return super().claim(request)

        @override
        def finish_and_claim(
            self,
            tag: AttemptTag,
            outcome: Succeeded | Failed,
            progress: Progress,
            request: ClaimRequest,
        ) -> tuple[Answer, WorkItem | None]:
            answer = self.finish(tag, outcome, progress)
            return answer, super().claim(request)

    stage.store = counting = Counting(stage.ports.table)
    items = [stage.ports.enqueue() for _ in range(3)]
    for number, item_id in enumerate(items):
        ended = RunEnded(AttemptTag(item_id=item_id, attempt=1), Returned({}), NO_PROGRESS)
        stage.inbox.at(0.1 * (number + 1), ended)
    stage.inbox.at(1, ShutDown())
    stage.run()
    assert [each.tag.item_id for each in stage.runner.begun] == items
    # The first item, and the look that found nothing more.
    assert counting.claims == 2


def test_an_item_that_came_while_it_was_told_to_stop_is_handed_back(stage: Stage) -> None:
    class Told(InMemoryWorkItemExecution):
        @override
        def finish_and_claim(
            self,
            tag: AttemptTag,
            outcome: Succeeded | Failed,
            progress: Progress,
            request: ClaimRequest,
        ) -> tuple[Answer, WorkItem | None]:
            stage.inbox.put(ShutDown())
            return super().finish_and_claim(tag, outcome, progress, request)

    stage.store = Told(stage.ports.table)
    first, second = stage.ports.enqueue(), stage.ports.enqueue()
    for item_id, report in ((first, Returned({})), (second, Stopped(None))):
        tag = AttemptTag(item_id=item_id, attempt=1)
        stage.inbox.at(0.5, RunEnded(tag, report, NO_PROGRESS))
    assert stage.run() == 0
    item = stage.ports.item(second)
    assert stage.ports.item(first).status is WorkStatus.SUCCEEDED
    assert (item.status, item.attempt, item.stalls) == (WorkStatus.QUEUED, 1, 0)


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


# ---------------------------------------------------------------- a runner that is unfit


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


# ---------------------------------------------------------------- the end


@pytest.mark.parametrize(
    ("signal", "status"), [(ShutDown(), 0), (ShutDownNow(), 0), (ShutDownNow(broken="x"), 1)]
)
def test_how_it_was_stopped_is_its_status(
    stage: Stage, signal: ShutDown | ShutDownNow, status: int
) -> None:
    stage.inbox.at(1, signal)
    assert stage.run() == status
    assert len(stage.runner.killed_at) == 1


def test_side_loops_run_beside_it_and_hold_its_end_up_for_half_a_second(stage: Stage) -> None:
    begun, release = threading.Event(), threading.Event()

    def hang() -> None:
        begun.set()
        release.wait(10)

    stage.side_loops = (Loop(name="beat", step=hang, seconds=60, inbox=stage.inbox),)

    def stop() -> None:
        assert begun.wait(5)
        stage.inbox.put(ShutDown())

    stage.inbox.at(1, stop)
    began = time.monotonic()
    assert stage.run() == 0
    assert begun.is_set()
    assert 0.5 <= time.monotonic() - began < 3
    release.set()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_first_signal_asks_decently_and_the_second_at_once(
    stage: Stage, number: signal.Signals
) -> None:
    seen: list[ShutDown | ShutDownNow | None] = []

    def send() -> None:
        os.kill(os.getpid(), number)
        seen.append(stage.inbox.stopping)

    stage.inbox.at(1, send)
    loop = stage.loop()
    assert loop.run() == 0
    send()
    assert seen == [ShutDown(), ShutDownNow()]
    # Grace time and slack, then slack alone; nobody waits for the timers.
    assert [each.interval for each in exit_timers()] == [9.5, 1.5]
    assert all(each.daemon for each in exit_timers())


@pytest.mark.parametrize(("stopped_by", "status"), [(ShutDown(), 0), (ShutDownNow(broken="x"), 1)])
def test_a_frozen_database_does_not_hold_the_exit_up(
    stage: Stage,
    caplog: pytest.LogCaptureFixture,
    exits: Exits,
    stopped_by: ShutDown | ShutDownNow,
    status: int,
) -> None:
    def freeze() -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        stage.inbox.put(stopped_by)
        assert exits.wait()
        assert len(stage.runner.killed_at) == 1

    stage.inbox.at(1, freeze)
    stage.loop(grace_seconds=0, exit_slack_seconds=0.3).run()
    assert exits.statuses == [status]
    said = ("ERROR", "the database holds the exit up: leaving; the lease will run out")
    assert lines(caplog) == [READY, said]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_runner_that_cannot_be_killed_does_not_hold_the_exit_up(
    stage: Stage, exits: Exits
) -> None:
    class Unkillable(ScriptedRunner):
        @override
        def kill(self) -> None:
            super().kill()
            if threading.current_thread() is not threading.main_thread():
                raise OSError("no")

    stage.runner = Unkillable(stage.stopwatch, kinds=("TokenCleanup",))

    def freeze() -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        assert exits.wait()

    stage.inbox.at(1, freeze)
    stage.loop(grace_seconds=0, exit_slack_seconds=0.3).run()
    assert exits.statuses == [0]
