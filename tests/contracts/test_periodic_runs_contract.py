"""What the table knows of periodic work."""

from datetime import timedelta

from application.ports.periodic_runs import CurrentRun, FinishedRun, Runs
from domain.work.outcome import Failed, Succeeded
from domain.work.progress import NO_PROGRESS
from domain.work.status import WorkStatus
from tests.contracts.harness import WorkPorts

KEY = "token-cleanup"


def test_a_key_that_never_ran_has_no_runs(ports: WorkPorts) -> None:
    ports.enqueue()
    assert ports.periodic_runs.of([KEY, "other"]).runs == {KEY: Runs(), "other": Runs()}
    assert ports.periodic_runs.of([]).runs == {}


def test_the_last_run_is_the_newest_that_ended_however_it_did(ports: WorkPorts) -> None:
    ports.enqueue(key=KEY)
    ports.execution.finish(ports.claimed(), Succeeded({}), NO_PROGRESS)
    ports.advance(timedelta(hours=1))
    failed = ports.enqueue(key=KEY)
    ports.execution.finish(ports.claimed(), Failed("no"), NO_PROGRESS)
    ended = ports.item(failed).finished_at
    assert ended is not None
    last = FinishedRun(item_id=failed, status=WorkStatus.FAILED, finished_at=ended)
    assert ports.periodic_runs.of([KEY]).runs == {KEY: Runs(last=last)}


def test_of_a_waiting_and_a_running_item_the_running_one_is_current(ports: WorkPorts) -> None:
    first = ports.enqueue(key=KEY)
    waiting = CurrentRun(item_id=first, status=WorkStatus.QUEUED)
    assert ports.periodic_runs.of([KEY]).runs[KEY] == Runs(current=waiting)
    ports.claim()
    ports.enqueue(key=KEY)
    running = CurrentRun(item_id=first, status=WorkStatus.RUNNING)
    assert ports.periodic_runs.of([KEY]).runs[KEY] == Runs(current=running)


def test_its_time_is_the_databases(ports: WorkPorts) -> None:
    assert abs(ports.periodic_runs.of([KEY]).server_time - ports.now()) < timedelta(seconds=5)
