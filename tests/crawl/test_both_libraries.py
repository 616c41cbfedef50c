"""The library in memory and the one in PostgreSQL come to the same, whatever a folder does."""

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine

from adapters.postgres.crawl_folders import PostgresCrawlFolders
from adapters.postgres.library_catalogue import PostgresLibraryCatalogue
from application.ports.proxy_store import ProxiesUnwritable
from application.ports.work_context import WorkCancelled
from domain.library.root import RootEmpty
from tests.application.crawling.world import World
from tests.crawl.doubles import Died
from tests.crawl.library import Library
from tests.fakes.library import InMemoryLibrary
from tests.fakes.media import heic, video
from tests.fakes.originals import InMemoryFile, InMemoryOriginals

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

NAMES = ("a.jpg", "A.MOV", "x/a.jpg", "x/a.heic", "x/a.mov", "y/c.jpg", "y/d.mov")
names = st.sampled_from(NAMES)
# Most are of one size, as pictures of one camera nearly are: what differs is told by the hash.
contents = st.sampled_from(
    (
        "one", "two", "six", "ten", "one", "two", "three", "DAMAGED", b"text", b"", "HUGE",
        "still 1", "still 2", heic("one"), heic("still 1"), video("one"), video("two"),
        video("half 1"), video("half 1 again"), video("half 2"), video("SOUND"),
    )
)  # fmt: skip
# No two writes share a time: a file that keeps size and time is taken for unchanged.
CLOCK = count(10**18 + 10)
changes = st.one_of(
    st.tuples(st.just("put"), names, contents),
    st.tuples(st.just("move"), names, names),
    st.tuples(st.just("swap"), names, names),
    st.tuples(st.just("swap"), names, names),
    st.tuples(st.just("copy"), names, names),
    st.tuples(st.just("remove"), names),
    st.tuples(st.just("blind"), st.sampled_from(([], [b"x"], [b"x", b"y"]))),
    st.tuples(st.just("clear")),
    st.tuples(st.just("allow")),
)
ways = st.sampled_from(("whole", "whole", "whole", "cancelled", "dies", "full"))
rounds = st.tuples(st.lists(changes, max_size=3), ways)
beginnings = st.dictionaries(names, contents, min_size=2)


def put(originals: InMemoryOriginals, name: str, content: str | bytes) -> None:
    originals.put(name, content, next(CLOCK))


def swap(originals: InMemoryOriginals, one: str, other: str) -> None:
    files = originals.files
    if one.encode() in files and other.encode() in files:
        files[one.encode()], files[other.encode()] = files[other.encode()], files[one.encode()]


def move(originals: InMemoryOriginals, old: str, new: str) -> None:
    if old.encode() in originals.files:
        originals.move(old, new)


def copy(originals: InMemoryOriginals, old: str, new: str) -> None:
    if found := originals.files.get(old.encode()):
        originals.files[new.encode()] = InMemoryFile(found.content, found.mtime_ns)


def remove(originals: InMemoryOriginals, name: str) -> None:
    originals.files.pop(name.encode(), None)


def blind(originals: InMemoryOriginals, folders: list[bytes]) -> None:
    originals.unreadable_folders = folders


def clear(originals: InMemoryOriginals) -> None:
    originals.files.clear()


CHANGES: dict[str, Callable[..., None]] = {
    "put": put,
    "swap": swap,
    "move": move,
    "copy": copy,
    "remove": remove,
    "blind": blind,
    "clear": clear,
}


def crawl(world: World, how: str) -> Any:
    """The result, or how the crawl ended."""
    looks = count()
    world.stop_when = lambda: how == "cancelled" and next(looks) > 3

    def die() -> None:
        if how == "dies":
            raise Died
        if how == "full":
            raise ProxiesUnwritable("No space left on device")

    world.proxies.after_prepare = die
    try:
        return dict(world.crawl()) | {"seconds": 0}
    except WorkCancelled as error:
        return dict(error.partial or {}) | {"seconds": 0}
    except (RootEmpty, Died, ProxiesUnwritable) as error:
        return repr(error)


def allow(world: World, library: Library) -> None:
    """As the admin does it: whatever the crawl finds missing next is believed."""
    world.library.missing_allowed_at = library.allow_missing()


def kind_of(library: InMemoryLibrary, asset_id: UUID) -> str:
    """As the pairs make it."""
    is_live = asset_id in library.pairs()
    return "LivePhoto" if is_live else str(library.assets[asset_id].developed.media_type)


def records(world: World) -> Any:
    library = world.library
    files = [
        (path, row.outcome, row.reason, row.asset_id, row.is_missing)
        for path, row in library.files.items()
    ]
    assets = [
        (key, row.developed.content.xxh64, row.is_missing, kind_of(library, key), row.still)
        for key, row in library.assets.items()
    ]
    flights = [(path, flight.is_up, flight.deaths) for path, flight in library.flights.items()]
    tables: list[list[Any]] = [files, assets, flights, list(library.failures)]
    return (*(sorted(table, key=repr) for table in tables), library.missing_allowed_at)


def stored(library: Library) -> Any:
    files = library.rows(
        "SELECT path, outcome, reason, asset_id, missing_at IS NOT NULL FROM source_files"
        " WHERE storage_config_id = :config"
    )
    assets = library.rows(
        "SELECT id, content_hash, deleted_at IS NOT NULL, media_type, still_id FROM media_assets"
        " WHERE storage_config_id = :config"
    )
    flights = library.rows(
        "SELECT path, is_in_flight, deaths FROM crawl_in_flight WHERE storage_config_id = :config"
    )
    failures = library.rows(
        "SELECT f.attempt, f.path, f.reason, f.message FROM crawl_failures f"
        " WHERE f.work_item_id = :item",
        item=library.item,
    )
    tables = (
        sorted((tuple(row) for row in rows), key=repr)
        for rows in (files, assets, flights, failures)
    )
    return (*tables, library.missing_allowed_at())


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(beginnings, st.lists(rounds, min_size=1, max_size=6))
def test_both_libraries_come_to_the_same(
    engine: Engine,
    tmp_path: Path,
    beginning: dict[str, str | bytes],
    script: list[tuple[list[tuple[Any, ...]], str]],
) -> None:
    library = Library(engine, tmp_path / uuid4().hex, zone="Asia/Tokyo")
    first = uuid4().int
    originals = InMemoryOriginals()
    in_memory = World(originals=originals, _ids=count(first))
    in_postgres = World(
        originals=originals,
        config=library.config,
        catalogue=PostgresLibraryCatalogue(engine=engine),
        crawl_folders=PostgresCrawlFolders(engine=engine),
        claim=library.claim,
        _ids=count(first),
    )
    for name, content in beginning.items():
        put(originals, name, content)
    for changes_before, way in [([], "whole"), *script, ([], "whole"), ([], "whole")]:
        for change, *arguments in changes_before:
            if change == "allow":
                allow(in_memory, library)
            else:
                CHANGES[change](originals, *arguments)
        results = crawl(in_memory, way), crawl(in_postgres, way)
        assert results[0] == results[1]
        assert records(in_memory) == stored(library)
        assert in_memory.proxies.kept == in_postgres.proxies.kept
    assert_sound(in_memory, blind_folders=bool(originals.unreadable_folders))


def assert_sound(world: World, *, blind_folders: bool) -> None:
    """After a whole crawl: one asset a content that is there, one holder an asset, no orphan."""
    holders = world.library.holders()
    assert len(set(holders.values())) == len(holders)
    assert set(holders.values()) == world.library.living() or not world.originals.files
    assert world.proxies.kept.keys() == world.library.assets.keys()
    if not blind_folders:
        contents_there = {
            file.content
            for path, file in world.originals.files.items()
            if world.library.files[path].outcome in ("asset", "duplicate")
        }
        assert len(holders) == len(contents_there) or not world.originals.files
