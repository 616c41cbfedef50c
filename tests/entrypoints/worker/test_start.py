"""What a Worker checks before it works, and how its loops end."""

import threading
import time

import pytest
from dependency_injector import providers

from application.execution.handlers import IncompleteRegistry
from application.execution.inbox import Inbox, ShutDownNow
from domain.errors import DatabaseUnavailable
from domain.work.kind import WorkKind
from entrypoints.common.settings import Settings
from entrypoints.worker.loops import Loop
from entrypoints.worker.main import worker_name
from entrypoints.worker.runner_container import RunnerContainer
from tests.log_records import caught_by


def test_the_products_registry_is_complete() -> None:
    container = RunnerContainer(settings=Settings())
    assert container.registry().kinds() == sorted(WorkKind)


def test_a_kind_without_its_handler_stops_the_start() -> None:
    container = RunnerContainer(settings=Settings())
    container.handlers.override(
        providers.List(
            providers.List(WorkKind.TOKEN_CLEANUP, container.token_cleanup),
            providers.List(WorkKind.CRAWL, container.crawl),
            providers.List(WorkKind.CRAWL, container.crawl),
        )
    )
    with pytest.raises(IncompleteRegistry) as refused:
        container.registry()
    assert str(refused.value) == (
        "the kinds of work are not complete: Crawl has 2 handlers instead of one; "
        "WorkItemRetention has 0 handlers instead of one"
    )


def test_a_workers_name_says_whom_it_serves_and_where(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "nas")
    assert worker_name(Settings()) == "all@nas"
    monkeypatch.setenv("WORKER__USER", "anna")
    assert worker_name(Settings()) == "anna@nas"


def test_a_loop_steps_at_once_and_goes_on_after_a_failure(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO")
    stepped = threading.Semaphore(0)
    away = DatabaseUnavailable("away")
    faults = iter([away, away, None, ValueError("odd"), away])

    def step() -> None:
        stepped.release()
        if fault := next(faults, None):
            raise fault

    inbox = Inbox()
    loop = Loop(name="recovery", step=step, seconds=0.01, inbox=inbox)
    loop.start()
    for _ in range(7):
        assert stepped.acquire(timeout=5)
    loop.stop(5)
    lines = [record.getMessage() for record in caplog.records]
    assert lines == [
        "recovery: away; trying again",
        "recovery: the database is back",
        "recovery failed; going on",
        "recovery: away; trying again",
        "recovery: the database is back",
    ]
    assert isinstance(caught_by(caplog.records[0]), DatabaseUnavailable)
    assert inbox.stopping is None


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_loop_that_dies_ends_the_process(caplog: pytest.LogCaptureFixture) -> None:
    def step() -> None:
        raise SystemExit

    inbox = Inbox()
    loop = Loop(name="heartbeat", step=step, seconds=0.01, inbox=inbox)
    loop.start()
    assert inbox.next(5) == ShutDownNow(broken="heartbeat")
    assert [record.getMessage() for record in caplog.records] == ["the loop heartbeat died"]
    loop.stop(5)


def test_a_loop_that_is_told_to_stop_stops_quietly() -> None:
    inbox = Inbox()
    loop = Loop(name="scheduler", step=lambda: None, seconds=60, inbox=inbox)
    loop.start()
    began = time.monotonic()
    loop.stop(5)
    assert time.monotonic() - began < 2
    assert inbox.stopping is None
