"""A crawl that was overtaken, or whose session was cut, harms no proxy and leaves none."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from sqlalchemy import Engine, event, text
from sqlalchemy.exc import DBAPIError

from adapters.postgres.engine import is_pooled
from adapters.postgres.settlement import settle_released
from domain.errors import DatabaseUnavailable
from domain.work.attempt import AttemptTag, ClaimLost
from tests.crawl.doubles import HookedProxyStore
from tests.crawl.library import Library
from tests.crawl.pictures import photo, write

pytestmark = pytest.mark.postgres

STATE = (
    "SELECT id, content_hash, deleted_at FROM media_assets",
    "SELECT path, size, outcome, content_hash, asset_id FROM source_files",
    "SELECT asset_id, kind, bytes FROM proxy_files",
    "SELECT path, asset_id, attempt, is_in_flight FROM crawl_in_flight",
)


def state(library: Library) -> Any:
    """All rows, all files and all folders."""
    rows = [sorted(tuple(row) for row in library.rows(query)) for query in STATE]
    return rows, library.proxy_files(), folders(library)


def folders(library: Library) -> set[Path]:
    return {path for path in library.proxy_path.rglob("*") if path.is_dir()}


def known(library: Library, *, is_new: bool) -> None:
    """One picture, which the library knows already or does not know yet."""
    write(library.root / "a.jpg", photo(1))
    if not is_new:
        library.crawl()
        write(library.root / "a.jpg", photo(2) + b"longer")


def hooked(library: Library, **hooks: Callable[[], None]) -> HookedProxyStore:
    return HookedProxyStore(proxy_path=library.proxy_path, **hooks)


@contextmanager
def before_statement(engine: Engine, beginning: str, act: Callable[[], None]) -> Iterator[None]:
    """Act once, on other connections, before the first statement that begins like this."""
    done: list[bool] = []

    def look(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if statement.strip().startswith(beginning) and not done:
            done.append(True)
            act()

    event.listen(engine, "before_cursor_execute", look)
    try:
        yield
    finally:
        event.remove(engine, "before_cursor_execute", look)
    assert done


@pytest.mark.parametrize("is_new", [True, False])
def test_an_attempt_that_thaws_after_a_newer_one_harms_none_of_its_proxies(
    library: Library, *, is_new: bool
) -> None:
    known(library, is_new=is_new)
    newer: list[Any] = []

    def overtake() -> None:
        library.proxies = None
        write(library.root / "a.jpg", photo(3) + b"longer still")
        library.crawl()
        newer.append(state(library))

    library.proxies = hooked(library, after_prepare=overtake)
    with pytest.raises(ClaimLost):
        library.crawl()
    assert newer == [state(library)]
    assert len(library.proxy_files()) == 2
    assert library.crawl()["unchanged"] == 1


@pytest.mark.parametrize("is_new", [True, False])
def test_an_attempt_that_is_overtaken_among_its_rows_publishes_nothing(
    library: Library, *, is_new: bool
) -> None:
    known(library, is_new=is_new)
    files, there = library.proxy_files(), folders(library)
    overtake = "UPDATE work_items SET attempt = attempt + 1"
    with (
        before_statement(library.crawler, "INSERT INTO proxy_files", lambda: library.run(overtake)),
        pytest.raises(ClaimLost),
    ):
        library.crawl()
    assert (library.proxy_files(), folders(library)) == (files, there)
    assert library.rows("SELECT FROM media_assets") == ([] if is_new else [()])


def test_a_crawl_that_lost_its_claim_writes_nothing_and_leaves_no_proxy(library: Library) -> None:
    for number in range(3):
        write(library.root / f"{number}.jpg", photo(number))
    overtake = "UPDATE work_items SET attempt = attempt + 1"
    library.proxies = hooked(library, after_prepare=lambda: library.run(overtake))
    with pytest.raises(ClaimLost):
        library.crawl()
    assert library.living() == 0
    assert list(library.proxy_path.iterdir()) == []


def test_nobody_takes_the_claim_over_while_proxies_are_published(library: Library) -> None:
    known(library, is_new=True)
    refused: list[str] = []

    def try_to_overtake() -> None:
        with library.engine.connect() as connection:
            connection.execute(text("SET lock_timeout = '100ms'"))
            with pytest.raises(DBAPIError, match="lock timeout"):
                connection.execute(text("UPDATE work_items SET attempt = attempt + 1"))
            refused.append("it waits")

    library.proxies = hooked(library, after_publish=try_to_overtake)
    assert library.crawl()["ingested"] == 1
    assert refused == ["it waits"]


def test_a_release_that_waits_meanwhile_is_no_deadlock(library: Library) -> None:
    known(library, is_new=True)
    answers: list[Any] = []
    tag = AttemptTag(item_id=library.item, attempt=1)
    release = Thread(target=lambda: answers.append(settle_released(library.engine, tag, None)))

    def begin_to_wait() -> None:
        release.start()
        waiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        while not library.rows(waiting):
            pass

    # The record comes through. Whether a later step finds the claim gone depends on who is faster.
    with (
        before_statement(library.crawler, "INSERT INTO proxy_files", begin_to_wait),
        suppress(ClaimLost),
    ):
        library.crawl()
    release.join(10)
    assert len(answers) == 1
    assert library.living() == 1


@pytest.mark.parametrize("is_new", [True, False])
def test_a_session_that_is_cut_before_the_record_leaves_nothing_beside(
    library: Library, *, is_new: bool
) -> None:
    if is_pooled(library.crawler):
        pytest.skip("a pooler has another session for the next transaction")
    known(library, is_new=is_new)
    before = library.proxy_files(), folders(library)
    library.proxies = hooked(library, after_prepare=lambda: cut_sessions(library))
    with pytest.raises(DatabaseUnavailable):
        library.crawl()
    assert (library.proxy_files(), folders(library)) == (({}, set()) if is_new else before)
    library.proxies = None
    assert library.crawl()["ingested" if is_new else "updated"] == 1
    assert len(library.proxy_files()) == 2


@pytest.mark.parametrize("is_new", [True, False])
def test_a_commit_that_fails_after_the_publication_takes_no_file_back(
    library: Library, *, is_new: bool
) -> None:
    known(library, is_new=is_new)
    library.proxies = hooked(library, after_publish=lambda: cut_sessions(library))
    with pytest.raises(DatabaseUnavailable):
        library.crawl()
    assert len(library.proxy_files()) == 2
    library.proxies = None
    assert library.crawl()["ingested" if is_new else "updated"] == 1
    assert len(library.proxy_files()) == len(folders(library)) == 2


def cut_sessions(library: Library) -> None:
    """The crawl's connection goes, as when the server is restarted."""
    library.run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
