"""A user sees what it captured on a day."""

from datetime import datetime
from uuid import UUID, uuid4

import pytest

from application.ports.memories import Memory, MemoryPosition
from application.use_cases.recall_day import RecallDay
from domain.errors import InvalidInput
from tests.contracts.memory_ports import memory
from tests.fakes.memories import InMemoryMemories, Kept

ADA = UUID(int=1)


def noon(year: int) -> datetime:
    return datetime(year, 2, 29, 12)  # noqa: DTZ001  # local time, as cameras write it


def keep(memories: InMemoryMemories, year: int, owner: UUID = ADA) -> Memory:
    asset = memory(noon(year))
    memories.kept[asset.asset_id] = Kept(owner, asset)
    return asset


def test_a_day_is_recalled_in_pages() -> None:
    memories = InMemoryMemories()
    recall = RecallDay(memories=memories)
    kept = [keep(memories, year) for year in (2000, 2004, 2008, 2012)]
    keep(memories, 2016, owner=uuid4())
    first = recall(ADA, month=2, day=29, after=None, limit=3)
    assert first.memories == [kept[3], kept[2], kept[1]]
    assert first.following == MemoryPosition(captured_at=noon(2004), asset_id=kept[1].asset_id)
    second = recall(ADA, month=2, day=29, after=first.following, limit=3)
    assert (second.memories, second.following) == ([kept[0]], None)
    assert memories.limits == [4, 4], "one more than the page tells whether it is the last"


def test_a_last_page_that_is_full_leads_nowhere() -> None:
    memories = InMemoryMemories()
    kept = keep(memories, 2000)
    page = RecallDay(memories=memories)(ADA, month=2, day=29, after=None, limit=1)
    assert (page.memories, page.following) == ([kept], None)


def test_a_day_without_memories_is_an_empty_page() -> None:
    page = RecallDay(memories=InMemoryMemories())(ADA, month=2, day=28, after=None, limit=1)
    assert (page.memories, page.following) == ([], None)


@pytest.mark.parametrize(("month", "day", "field"), [(13, 1, "month"), (4, 31, "day")])
def test_a_day_that_no_year_has_is_refused(month: int, day: int, field: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        RecallDay(memories=InMemoryMemories())(ADA, month=month, day=day, after=None, limit=1)
    assert refusal.value.field == field
