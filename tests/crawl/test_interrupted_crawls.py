"""A crawl can be stopped anywhere and run again; it converges."""

from typing import Any

import pytest
from sqlalchemy import event

from application.ports.work_context import WorkCancelled
from tests.crawl.doubles import (
    DeadlyDeveloper,
    Died,
    DyingProxyStore,
    HookedHasher,
)
from tests.crawl.library import Library, real_developer
from tests.crawl.pictures import photo, write
from tests.fakes.crawl_context import Token, assert_adds_up

pytestmark = pytest.mark.postgres


def test_a_cancelled_crawl_reports_what_it_reached_and_marks_nothing(library: Library) -> None:
    write(library.root / "gone.jpg", photo(99))
    library.crawl()
    (library.root / "gone.jpg").unlink()
    for number in range(12):
        write(library.root / f"{number:02}.jpg", photo(number))
    asked: list[bool] = []
    library.concurrency = 1
    library.hasher = HookedHasher(after=lambda count: asked.append(True) if count == 3 else None)
    with pytest.raises(WorkCancelled) as caught:
        library.crawl(token=Token(when=lambda: bool(asked)))
    partial: Any = caught.value.partial
    assert_adds_up(partial)
    assert (partial["found"], partial["missing"]) == (12, 0)
    assert 1 <= partial["ingested"] < 12
    assert partial["notReached"] == 12 - partial["ingested"]
    assert library.living() == 1 + partial["ingested"]
    library.hasher = None
    result = library.crawl()
    assert (result["unchanged"], result["missing"]) == (partial["ingested"], 1)
    assert library.living() == 12


DEATHS = [None, 0, 1, 2]
"""In the middle of a proxy, or after so many were published, before the commit."""


@pytest.mark.parametrize("published", DEATHS)
def test_a_death_among_the_proxies_leaves_no_orphan(
    library: Library, published: int | None
) -> None:
    for number in range(3):
        write(library.root / f"{number}.jpg", photo(number))
    library.concurrency = 1
    library.proxies = DyingProxyStore(proxy_path=library.proxy_path, published_before=published)
    with pytest.raises(Died):
        library.crawl()
    assert library.proxy_files()
    library.proxies = None
    result = library.crawl()
    assert result["found"] == result["ingested"] == 3
    assert len(library.proxy_files()) == 6
    assert not library.rows("SELECT FROM crawl_in_flight")


@pytest.mark.parametrize("published", DEATHS)
def test_a_death_while_a_changed_file_is_developed_leaves_no_half_file(
    library: Library, published: int | None
) -> None:
    write(library.root / "a.jpg", photo(1))
    library.crawl()
    before = library.holders()
    write(library.root / "a.jpg", photo(2) + b"longer")
    library.proxies = DyingProxyStore(proxy_path=library.proxy_path, published_before=published)
    with pytest.raises(Died):
        library.crawl()
    library.proxies = None
    assert library.crawl()["updated"] == 1
    assert library.holders() == before
    assert len(library.proxy_files()) == 2
    sizes = {row.bytes for row in library.rows("SELECT bytes FROM proxy_files")}
    assert {len(content) for content in library.proxy_files().values()} == sizes


def test_orphans_go_even_when_their_file_is_gone_too(library: Library) -> None:
    write(library.root / "a.jpg", photo(1))
    write(library.root / "b.jpg", photo(2))
    library.concurrency = 1
    library.proxies = DyingProxyStore(proxy_path=library.proxy_path, published_before=2)
    with pytest.raises(Died):
        library.crawl()
    (library.root / "a.jpg").unlink()
    library.proxies = None
    library.crawl()
    assert len(library.proxy_files()) == 2
    assert not library.rows("SELECT FROM crawl_in_flight")


def test_a_file_that_kills_twice_is_failed_and_the_rest_is_finished(library: Library) -> None:
    for number in range(6):
        write(library.root / f"{number}.jpg", photo(number))
    killer = (library.root / "2.jpg").read_bytes()
    library.developer = DeadlyDeveloper(alive=real_developer(), killer=killer)
    for _ in range(2):
        with pytest.raises(Died):
            library.crawl()
    result = library.crawl()
    assert result["failedByReason"] == {"crashes the decoder": 1}
    assert library.living() == 5
    assert library.crawl()["failedByReason"] == {"crashes the decoder": 1}
    assert len(library.proxy_files()) == 10


def test_a_file_that_changes_while_it_is_read_comes_again_next_time(library: Library) -> None:
    growing = write(library.root / "a.jpg", photo(1))

    def grow(_: int) -> None:
        with growing.open("ab") as file:
            file.write(b"more")

    library.hasher = HookedHasher(after=grow)
    assert library.crawl()["skippedByReason"] == {"changing": 1}
    assert library.rows("SELECT FROM source_files") == []
    library.hasher = None
    assert library.crawl()["ingested"] == 1


def test_only_the_note_of_what_is_in_flight_waits_for_the_disk(library: Library) -> None:
    write(library.root / "a.jpg", photo(1))
    waits: dict[str, str] = {}

    def look(connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        for table in ("crawl_in_flight", "media_assets"):
            if statement.strip().startswith(f"INSERT INTO {table}"):
                waits[table] = connection.exec_driver_sql("SHOW synchronous_commit").scalar()

    event.listen(library.crawler, "before_cursor_execute", look)
    try:
        library.crawl()
    finally:
        event.remove(library.crawler, "before_cursor_execute", look)
    assert waits == {"crawl_in_flight": "on", "media_assets": "off"}
