"""Scenario C1's last part: a really emptied folder, and a held-back crawl, are let through once."""

from threading import Thread
from typing import Any

import pytest
from sqlalchemy import text

from application.crawling import reconcile
from application.ports.work_context import WorkCancelled
from domain.library.root import RootEmpty, RootUnavailable
from tests.crawl.doubles import VanishingOriginals
from tests.crawl.library import Library
from tests.crawl.pictures import photo, write
from tests.fakes.crawl_context import Token

pytestmark = pytest.mark.postgres


def fill(library: Library, count: int) -> None:
    for number in range(count):
        write(library.root / f"{number:03}.jpg", photo(number))
    library.crawl()


def remove(library: Library, count: int) -> None:
    for path in sorted(library.root.iterdir())[:count]:
        path.unlink()


def test_a_really_emptied_folder_is_let_through_once(library: Library) -> None:
    fill(library, 20)
    remove(library, 20)
    with pytest.raises(RootEmpty):
        library.crawl()
    library.allow_missing()
    result = library.crawl()
    assert (result["found"], result["missing"], result["heldBack"]) == (0, 20, 0)
    assert library.living() == 0
    assert library.missing_allowed_at() is None
    write(library.root / "000.jpg", photo(0))
    assert library.crawl()["restored"] == 1
    remove(library, 1)
    with pytest.raises(RootEmpty):
        library.crawl()


def test_the_brake_lets_through_once(library: Library) -> None:
    fill(library, 80)
    remove(library, 41)
    assert library.crawl()["heldBack"] == 41
    library.allow_missing()
    result = library.crawl()
    assert (result["missing"], result["heldBack"]) == (41, 0)
    remove(library, 30)
    result = library.crawl()
    assert (result["missing"], result["heldBack"]) == (0, 30)
    assert library.living() == 39


def test_an_allowance_does_not_lie_around_after_a_complete_crawl(library: Library) -> None:
    fill(library, 3)
    library.allow_missing()
    library.crawl()
    assert library.missing_allowed_at() is None


def test_a_crawl_that_fails_keeps_the_allowance(library: Library) -> None:
    fill(library, 20)
    allowed_at = library.allow_missing()
    library.originals = VanishingOriginals(
        worker_root=library.root.parent, proxy_path=library.proxy_path
    )
    with pytest.raises(RootUnavailable):
        library.crawl()
    assert library.living() == 20
    assert library.missing_allowed_at() == allowed_at


def test_an_allowance_for_one_folder_is_for_no_other(library: Library, other: Library) -> None:
    fill(library, 20)
    remove(library, 20)
    allowed_at = other.allow_missing()
    with pytest.raises(RootEmpty):
        library.crawl()
    assert other.missing_allowed_at() == allowed_at


@pytest.fixture
def other(library: Library) -> Library:
    return Library(library.engine, library.base / "other")


@pytest.mark.parametrize(("looks_at", "kept"), [(6, True), (4, False)])
def test_it_goes_with_the_last_batch_and_not_before(
    library: Library, monkeypatch: pytest.MonkeyPatch, looks_at: int, *, kept: bool
) -> None:
    fill(library, 30)
    remove(library, 26)
    allowed_at = library.allow_missing()
    monkeypatch.setattr(reconcile, "ROWS_PER_BATCH", 2)
    with pytest.raises(WorkCancelled):
        library.crawl(token=Token(when=lambda: library.living() == looks_at))
    assert library.living() == looks_at
    assert library.missing_allowed_at() == (allowed_at if kept else None)


def test_a_renewal_that_is_being_written_outlives_the_crawl_that_used_the_first(
    library: Library,
) -> None:
    fill(library, 30)
    remove(library, 25)
    first = library.allow_missing()
    results: list[Any] = []
    with library.engine.begin() as admin:
        admin.execute(text("UPDATE missing_allowances SET allowed_at = clock_timestamp()"))
        crawl = Thread(target=lambda: results.append(library.crawl()))
        crawl.start()
        while not library.rows(
            "SELECT FROM pg_stat_activity"
            " WHERE wait_event_type = 'Lock' AND query LIKE '%DELETE FROM missing_allowances%'"
        ):
            assert crawl.is_alive()
    crawl.join(20)
    assert results[0]["missing"] == 25
    renewed = library.missing_allowed_at()
    assert renewed is not None
    assert renewed > first
