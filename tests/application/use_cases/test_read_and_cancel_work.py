"""Reading and cancelling: thin, and truthful about what is not there."""

from uuid import UUID

import pytest

from application.ports.work_item_canceller import CancelledAtOnce
from application.ports.work_item_reader import ListFilter
from application.use_cases.cancel_work import CancelWork
from application.use_cases.read_work import ListWork, ReadWork
from domain.errors import NotFound
from tests.contracts.harness import InMemoryPorts

MISSING = UUID(int=404)


@pytest.fixture
def ports() -> InMemoryPorts:
    return InMemoryPorts()


def test_pages_count_from_one(ports: InMemoryPorts) -> None:
    ids = [ports.enqueue() for _ in range(5)]
    show = ListWork(reader=ports.reader)

    def page(number: int) -> list[UUID]:
        listed = show(ListFilter(), page=number, page_size=2)
        assert (listed.total, listed.total_is_capped) == (5, False)
        return [each.item.id for each in listed.items]

    assert page(1) + page(2) + page(3) == ids[::-1]
    assert page(4) == []


def test_the_total_is_exact_to_ten_thousand(ports: InMemoryPorts) -> None:
    for _ in range(10_001):
        ports.enqueue()
    page = ListWork(reader=ports.reader)(ListFilter(), page=1, page_size=1)
    assert (page.total, page.total_is_capped) == (10_000, True)


def test_the_filter_is_passed_on(ports: InMemoryPorts) -> None:
    ports.enqueue("Crawl")
    mine = ports.enqueue("TokenCleanup")
    page = ListWork(reader=ports.reader)(
        ListFilter(kinds=frozenset({"TokenCleanup"})), page=1, page_size=5
    )
    assert [each.item.id for each in page.items] == [mine]


def test_one_item_is_read_whole_or_named_as_missing(ports: InMemoryPorts) -> None:
    item_id = ports.enqueue()
    detail = ReadWork(reader=ports.reader)(item_id)
    assert detail.item == ports.item(item_id)
    with pytest.raises(NotFound) as refused:
        ReadWork(reader=ports.reader)(MISSING)
    assert str(refused.value) == f"work item {MISSING} does not exist"


def test_cancelling_answers_what_came_of_it_or_names_what_is_missing(
    ports: InMemoryPorts,
) -> None:
    item_id = ports.enqueue()
    answer = CancelWork(canceller=ports.canceller)(item_id)
    assert answer == CancelledAtOnce(ports.item(item_id))
    with pytest.raises(NotFound) as refused:
        CancelWork(canceller=ports.canceller)(MISSING)
    assert str(refused.value) == f"work item {MISSING} does not exist"
