"""Counts: bounded, and asked for at most once a second."""

from uuid import UUID

from typing_extensions import override

from application.ports.work_item_counts import WorkItemCounter, WorkItemCounts
from application.ports.work_item_reader import ListFilter
from application.use_cases.count_work import CountWork
from domain.work.kind import WorkKind
from tests.contracts.harness import InMemoryPorts
from tests.fakes.execution import HandMovedStopwatch


class Asked(WorkItemCounter):
    """Notes what it is asked."""

    def __init__(self, ports: InMemoryPorts) -> None:
        self.ports = ports
        self.bounds: list[tuple[int, int]] = []

    @override
    def count(self, which: ListFilter, *, up_to: int, scoped_up_to: int) -> WorkItemCounts:
        self.bounds.append((up_to, scoped_up_to))
        return self.ports.counter.count(which, up_to=up_to, scoped_up_to=scoped_up_to)


def counted(count: CountWork, which: ListFilter | None = None) -> list[int]:
    return [each.count for each in count(which or ListFilter()).counts]


def scoped(number: int) -> ListFilter:
    return ListFilter(scopes=frozenset({UUID(int=number)}))


def test_an_answer_is_good_for_a_second() -> None:
    ports, stopwatch = InMemoryPorts(), HandMovedStopwatch()
    asked = Asked(ports)
    count = CountWork(counter=asked, stopwatch=stopwatch)
    assert counted(count) == []
    ports.enqueue()
    stopwatch.seconds += 0.99
    assert counted(count) == []
    stopwatch.seconds += 0.01
    assert counted(count) == [1]
    assert asked.bounds == [(10_000, 100_000)] * 2


def test_each_filter_has_an_answer_of_its_own() -> None:
    ports = InMemoryPorts()
    count = CountWork(counter=ports.counter, stopwatch=HandMovedStopwatch())
    ports.enqueue()
    assert counted(count) == [1]
    assert counted(count, ListFilter(kinds=frozenset({WorkKind.CRAWL}))) == []
    assert counted(count) == [1]


def test_a_slow_answer_is_as_old_as_its_question() -> None:
    ports, stopwatch = InMemoryPorts(), HandMovedStopwatch()

    class Slow(Asked):
        @override
        def count(self, which: ListFilter, *, up_to: int, scoped_up_to: int) -> WorkItemCounts:
            stopwatch.seconds += 1
            return super().count(which, up_to=up_to, scoped_up_to=scoped_up_to)

    asked = Slow(ports)
    count = CountWork(counter=asked, stopwatch=stopwatch)
    counted(count)
    counted(count)
    assert len(asked.bounds) == 2


def test_at_most_fifty_answers_are_remembered() -> None:
    ports = InMemoryPorts()
    asked = Asked(ports)
    count = CountWork(counter=asked, stopwatch=HandMovedStopwatch())
    for number in range(50):
        counted(count, scoped(number))
    counted(count, scoped(0))
    assert len(asked.bounds) == 50
    counted(count, scoped(50))
    counted(count, scoped(50))
    assert len(asked.bounds) == 51
    counted(count, scoped(0))
    assert len(asked.bounds) == 52
