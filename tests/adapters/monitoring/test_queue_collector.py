"""The figures of the queue as Prometheus reads them."""

import pytest
from prometheus_client import CollectorRegistry
from typing_extensions import override

from adapters.monitoring.queue_collector import QueueCollector
from application.ports.queue_figures import Figures, ItemCount, QueueFigures, ScopeKind
from domain.errors import DatabaseUnavailable


class InMemoryFigures(QueueFigures):
    def __init__(self) -> None:
        self.reads = 0
        self.is_away = False

    @override
    def read(self) -> Figures:
        self.reads += 1
        if self.is_away:
            raise DatabaseUnavailable("away")
        return Figures(
            counts=[ItemCount(kind="Crawl", status="Queued", count=self.reads)],
            oldest_queued={ScopeKind.ACTIVE: 12.5},
        )


class Stage:
    def __init__(self) -> None:
        self.seconds = 0.0
        self.figures = InMemoryFigures()
        self.registry = CollectorRegistry()
        QueueCollector(registry=self.registry, figures=self.figures, now=lambda: self.seconds)

    def value(self, name: str, **labels: str) -> float | None:
        return self.registry.get_sample_value(name, labels)


@pytest.fixture
def stage() -> Stage:
    return Stage()


def test_registering_asks_nothing(stage: Stage) -> None:
    assert stage.figures.reads == 0


def test_counts_and_ages_are_read(stage: Stage) -> None:
    assert stage.value("anichron_work_items", kind="Crawl", status="Queued") == 1
    assert stage.value("anichron_oldest_queued_seconds", scope="active") == 12.5
    assert stage.value("anichron_queue_readable") == 1


def test_however_many_ask_the_database_is_asked_once_in_ten_seconds(stage: Stage) -> None:
    for _ in range(20):
        stage.value("anichron_queue_readable")
        stage.seconds += 0.4
    assert stage.figures.reads == 1
    stage.seconds = 10.0
    assert stage.value("anichron_work_items", kind="Crawl", status="Queued") == 2


def test_while_the_database_is_away_no_old_figures_are_told(stage: Stage) -> None:
    stage.value("anichron_queue_readable")
    stage.figures.is_away = True
    stage.seconds = 11.0
    assert stage.value("anichron_queue_readable") == 0
    assert stage.value("anichron_work_items", kind="Crawl", status="Queued") is None
    stage.figures.is_away = False
    stage.seconds = 22.0
    assert stage.value("anichron_queue_readable") == 1
