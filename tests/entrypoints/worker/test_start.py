"""What a Worker checks before it works."""

import pytest
from dependency_injector import providers

from application.execution.handlers import IncompleteRegistry
from domain.work.kind import WorkKind
from entrypoints.common.settings import Settings
from entrypoints.worker.name import worker_name
from entrypoints.worker.runner_container import RunnerContainer


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
    said = str(refused.value)
    assert said.startswith(
        "the kinds of work are not complete: Crawl has 2 handlers instead of one; "
    )
    assert said.endswith("WorkItemRetention has 0 handlers instead of one")


def test_a_workers_name_says_whom_it_serves_and_where(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "nas")
    assert worker_name(Settings()) == "all@nas"
    monkeypatch.setenv("WORKER__USER", "anna")
    assert worker_name(Settings()) == "anna@nas"
