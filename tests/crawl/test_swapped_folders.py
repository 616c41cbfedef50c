"""Somebody makes a link of a folder while it is crawled: nobody else's pictures come in by it."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from typing_extensions import override

from adapters.filesystem import folder_walk
from adapters.filesystem.originals import FilesystemOriginals
from application.ports.originals import CheckedRoot, ListingBatch
from domain.library.root import RootUnavailable
from tests.crawl.library import Library
from tests.crawl.pictures import photo, write

pytestmark = pytest.mark.postgres


@dataclass(frozen=True, slots=True, kw_only=True)
class SwappingOriginals(FilesystemOriginals):
    """Something happens after the first batch of the listing, or after its last."""

    at_first: Callable[[], None] = lambda: None
    at_last: Callable[[], None] = lambda: None

    @override
    def walk(self, root: CheckedRoot) -> Iterator[ListingBatch]:
        batches = FilesystemOriginals.walk(self, root)
        yield next(batches)
        self.at_first()
        yield from batches
        self.at_last()


def make_alike(ours: Path, theirs: Path, picture: int) -> None:
    """Another picture of the same signature."""
    theirs.write_bytes(photo(picture).ljust(ours.stat().st_size, b"\0"))
    ours.write_bytes(ours.read_bytes().ljust(theirs.stat().st_size, b"\0"))
    for file in (ours, theirs):
        os.utime(file, ns=(0, 1_700_000_000_000_000_000))


@pytest.fixture
def swap(library: Library) -> Callable[[], None]:
    """The folder `b` becomes a link to somebody else's with the same names in it."""
    for number in range(2):
        write(library.root / "a" / f"{number}.jpg", photo(number))
        ours = write(library.root / "b" / f"{number}.jpg", photo(10 + number))
        theirs = write(library.base / "originals" / "secret" / f"{number}.jpg", b"x")
        make_alike(ours, theirs, 20 + number)

    def act() -> None:
        (library.root / "b").rename(library.root / ".b")
        (library.root / "b").symlink_to(library.base / "originals" / "secret")

    return act


def originals(library: Library, **acts: Callable[[], None]) -> SwappingOriginals:
    return SwappingOriginals(
        worker_root=library.base / "originals", proxy_path=library.proxy_path, **acts
    )


def test_files_of_a_folder_that_is_swapped_after_the_listing_are_skipped_as_changing(
    library: Library, swap: Callable[[], None]
) -> None:
    library.originals = originals(library, at_last=swap)
    result = library.crawl()
    assert (result["ingested"], result["skippedByReason"]) == (2, {"changing": 2})
    assert sorted(library.holders()) == [b"a/0.jpg", b"a/1.jpg"]


def test_what_is_known_below_a_folder_that_is_swapped_during_the_listing_keeps_its_state(
    library: Library, swap: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert library.crawl()["ingested"] == 4
    before = library.holders()
    monkeypatch.setattr(folder_walk, "SECONDS_PER_BATCH", 0.0)
    library.originals = originals(library, at_first=swap)
    result = library.crawl()
    assert (result["unchanged"], result["outside"], result["foldersUnreadable"]) == (2, 2, 1)
    assert (result["missing"], result["ingested"]) == (0, 0)
    assert library.holders() == before


def test_a_root_that_is_another_folder_after_the_listing_gives_no_file(
    library: Library, tmp_path: Path
) -> None:
    ours = write(library.root / "a.jpg", photo(1))
    theirs = write(library.root.with_name("theirs") / "a.jpg", b"x")
    make_alike(ours, theirs, 2)

    def swap_root() -> None:
        library.root.rename(tmp_path / "aside")
        theirs.parent.rename(library.root)

    library.originals = RecheckedThenSwapped(
        worker_root=library.base / "originals",
        proxy_path=library.proxy_path,
        afterwards=swap_root,
    )
    assert library.crawl()["skippedByReason"] == {"changing": 1}
    assert library.holders() == {}


def test_a_root_that_became_a_link_to_another_config_s_folder_is_unavailable(
    library: Library, second_library: Library
) -> None:
    write(second_library.root / "a.jpg", photo(2))
    everything = FilesystemOriginals(worker_root=library.base, proxy_path=library.proxy_path)
    library.originals = second_library.originals = everything
    library.root.rmdir()
    library.root.symlink_to(second_library.root)
    with pytest.raises(RootUnavailable, match="the folder of another storage config"):
        library.crawl()
    assert second_library.crawl()["ingested"] == 1


def test_a_root_that_is_a_link_to_a_folder_of_its_own_is_crawled(library: Library) -> None:
    write(library.base / "volume" / "photos" / "a.jpg", photo(1))
    library.originals = FilesystemOriginals(worker_root=library.base, proxy_path=library.proxy_path)
    library.root.rmdir()
    library.root.symlink_to(library.base / "volume" / "photos")
    assert library.crawl()["ingested"] == 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RecheckedThenSwapped(FilesystemOriginals):
    afterwards: Callable[[], None]

    @override
    def recheck(self, root: CheckedRoot) -> None:
        FilesystemOriginals.recheck(self, root)
        self.afterwards()
