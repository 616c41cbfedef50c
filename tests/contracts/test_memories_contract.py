"""What every implementation of Memories promises."""

from datetime import datetime, timedelta
from uuid import UUID

import pytest

from application.ports.memories import Camera, Memory, MemoryPosition
from domain.library.calendar_day import CalendarDay
from tests.contracts.conftest import IMPLEMENTATIONS
from tests.contracts.memory_ports import (
    InMemoryMemoryPorts,
    MemoryPorts,
    PostgresMemoryPorts,
    memory,
    place,
)

JUNE_FIRST = CalendarDay(month=6, day=1)


@pytest.fixture(params=IMPLEMENTATIONS)
def ports(request: pytest.FixtureRequest) -> MemoryPorts:
    if request.param == "memory":
        return InMemoryMemoryPorts()
    return PostgresMemoryPorts(engine=request.getfixturevalue("engine"))


def at(year: int, hour: int = 12, month: int = 6, day: int = 1) -> datetime:
    return datetime(year, month, day, hour, 30, 15, 250_000)  # noqa: DTZ001  # local time


def recalled(
    ports: MemoryPorts, owner: UUID, day: CalendarDay = JUNE_FIRST, limit: int = 50
) -> list[Memory]:
    return list(ports.memories.on_day(owner, day, after=None, limit=limit))


def test_all_that_is_known_comes_back(ports: MemoryPorts) -> None:
    owner = ports.add_user()
    whole = memory(
        at(2021),
        "Video",
        offset=timedelta(hours=-3, minutes=-30),
        is_estimated=True,
        width=4000,
        height=3000,
        location=place(51.5, 0.0),
        camera=Camera(make="Nikon", model="D750", lens="50 mm"),
        duration_seconds=12.5,
    )
    config = ports.add_config(owner)
    ports.keep(config, whole)
    bare = ports.keep(config, memory(at(2020)))
    assert recalled(ports, owner) == [whole, bare]


def test_the_newest_year_comes_first_and_within_it_the_day_as_it_went(ports: MemoryPorts) -> None:
    owner = ports.add_user()
    one, other = ports.add_config(owner), ports.add_config(owner, is_active=False)
    late, early = memory(at(2020, 18)), memory(at(2020, 6))
    old, new = memory(at(1999)), memory(at(2023, 23))
    twin, second = (
        memory(at(2020, 6), asset_id=UUID(int=2)),
        memory(at(2020, 6), asset_id=UUID(int=1)),
    )
    for number, asset in enumerate((late, twin, old, early, new, second)):
        ports.keep(one if number % 2 else other, asset)
    assert recalled(ports, owner) == [new, second, twin, early, late, old]


def test_pages_leave_nothing_out_and_repeat_nothing(ports: MemoryPorts) -> None:
    owner = ports.add_user()
    config = ports.add_config(owner)
    for year in (2019, 2020, 2021):
        for hour in (8, 8, 9, 10):
            ports.keep(config, memory(at(year, hour)))
    whole = recalled(ports, owner)
    assert len(whole) == 12
    paged: list[Memory] = []
    after: MemoryPosition | None = None
    while page := ports.memories.on_day(owner, JUNE_FIRST, after=after, limit=5):
        assert len(page) <= 5
        paged.extend(page)
        after = page[-1].position()
    assert paged == whole


def test_other_days_and_what_has_no_date_are_left_out(ports: MemoryPorts) -> None:
    owner = ports.add_user()
    config = ports.add_config(owner)
    ports.keep(config, memory(at(2020, day=2)))
    ports.keep(config, memory(at(2020, month=7)))
    leap = ports.keep(config, memory(at(2020, month=2, day=29)))
    ports.keep_undated(config)
    assert recalled(ports, owner) == []
    assert recalled(ports, owner, CalendarDay(month=2, day=29)) == [leap]


def test_nobody_sees_what_is_anothers(ports: MemoryPorts) -> None:
    owner, other = ports.add_user(), ports.add_user()
    mine = ports.keep(ports.add_config(owner), memory(at(2020)))
    theirs = ports.keep(ports.add_config(other), memory(at(2021)))
    assert recalled(ports, owner) == [mine]
    assert recalled(ports, other) == [theirs]
    assert recalled(ports, ports.add_user()) == []


def test_what_is_gone_is_no_memory(ports: MemoryPorts) -> None:
    owner = ports.add_user()
    config = ports.add_config(owner)
    gone, there = memory(at(2020)), memory(at(2021))
    ports.keep(config, gone)
    ports.keep(config, there)
    ports.delete(gone.asset_id)
    assert recalled(ports, owner) == [there]


def live_photo(ports: MemoryPorts, owner: UUID) -> tuple[Memory, Memory]:
    config = ports.add_config(owner)
    still = ports.keep(config, memory(at(2020), "LivePhoto"))
    video = memory(at(2020), "Video", duration_seconds=2.5)
    return still, ports.keep(config, video, still.asset_id)


def test_a_live_photo_is_one_entry_that_names_its_moving_half(ports: MemoryPorts) -> None:
    owner = ports.add_user()
    still, video = live_photo(ports, owner)
    [entry] = recalled(ports, owner)
    assert (entry.asset_id, entry.media_type) == (still.asset_id, "LivePhoto")
    assert entry.motion_id == video.asset_id


def test_a_moving_half_that_is_gone_is_not_named(ports: MemoryPorts) -> None:
    owner = ports.add_user()
    still, video = live_photo(ports, owner)
    ports.delete(video.asset_id)
    assert recalled(ports, owner) == [still]


def test_a_moving_half_whose_still_is_gone_is_an_entry(ports: MemoryPorts) -> None:
    owner = ports.add_user()
    still, video = live_photo(ports, owner)
    ports.delete(still.asset_id)
    assert recalled(ports, owner) == [video]
