"""Assets follow their content: moves, swaps, duplicates, changes, touches."""

import os
from pathlib import Path

import pytest

from tests.crawl.library import Library
from tests.crawl.pictures import encode, photo, write

pytestmark = pytest.mark.postgres


def test_moves_renames_and_swaps_keep_ids_and_proxies(library: Library) -> None:
    for number, name in enumerate(("1", "2", "3", "old", "x", "y")):
        write(library.root / f"{name}.jpg", photo(number) + b"\0" * number)
    library.crawl()
    before, proxies = library.holders(), library.proxy_files()
    (library.root / "album").mkdir()
    for name in ("1", "2", "3"):
        (library.root / f"{name}.jpg").rename(library.root / "album" / f"{name}.jpg")
    (library.root / "old.jpg").rename(library.root / "new.jpg")
    swap(library.root / "x.jpg", library.root / "y.jpg")
    result = library.crawl()
    assert (result["moved"], result["ingested"], result["updated"]) == (6, 0, 0)
    assert (result["missing"], result["proxiesWritten"]) == (0, 0)
    assert library.holders() == {
        b"album/1.jpg": before[b"1.jpg"],
        b"album/2.jpg": before[b"2.jpg"],
        b"album/3.jpg": before[b"3.jpg"],
        b"new.jpg": before[b"old.jpg"],
        b"x.jpg": before[b"y.jpg"],
        b"y.jpg": before[b"x.jpg"],
    }
    assert library.proxy_files() == proxies


def test_a_new_file_under_an_old_name_does_not_steal_the_moved_ones_id(library: Library) -> None:
    write(library.root / "a.jpg", photo(1))
    library.crawl()
    before = library.holders()
    (library.root / "a.jpg").rename(library.root / "z.jpg")
    write(library.root / "a.jpg", photo(2) + b"longer")
    result = library.crawl()
    assert (result["moved"], result["ingested"]) == (1, 1)
    after = library.holders()
    assert after[b"z.jpg"] == before[b"a.jpg"]
    assert after[b"a.jpg"] != before[b"a.jpg"]


def test_a_changed_file_keeps_its_id_and_gets_new_proxies(library: Library) -> None:
    write(library.root / "a.jpg", photo(1))
    library.crawl()
    before, proxies = library.holders(), library.proxy_files()
    write(library.root / "a.jpg", encode((9, 200, 9), (80, 60)))
    result = library.crawl()
    assert (result["updated"], result["proxiesWritten"]) == (1, 2)
    assert library.holders() == before
    assert library.proxy_files().keys() == proxies.keys()
    assert library.proxy_files() != proxies
    (size,) = library.rows("SELECT width, height FROM media_assets")
    assert tuple(size) == (80, 60)


def test_when_the_first_of_two_copies_goes_the_asset_moves_to_the_second(library: Library) -> None:
    write(library.root / "a.jpg", photo(1))
    write(library.root / "b.jpg", photo(2))
    library.crawl()
    write(library.root / "copy.jpg", photo(1))
    assert library.crawl()["duplicate"] == 1
    before = library.holders()
    assert library.living() == 2
    (library.root / "a.jpg").unlink()
    result = library.crawl()
    assert (result["missing"], result["duplicate"]) == (0, 1)
    assert library.holders() == {b"copy.jpg": before[b"a.jpg"], b"b.jpg": before[b"b.jpg"]}
    assert library.crawl()["unchanged"] == 2


def test_when_the_first_of_two_copies_changes_the_second_inherits(library: Library) -> None:
    write(library.root / "a.jpg", photo(1))
    library.crawl()
    write(library.root / "copy.jpg", photo(1))
    library.crawl()
    before = library.holders()
    write(library.root / "a.jpg", photo(3) + b"longer")
    result = library.crawl()
    assert result["ingested"] == 1
    after = library.holders()
    assert after[b"copy.jpg"] == before[b"a.jpg"]
    assert after[b"a.jpg"] != before[b"a.jpg"]


def test_two_copies_found_at_once_are_one_asset(library: Library) -> None:
    for name in "abcdefgh":
        write(library.root / f"{name}.jpg", photo(1))
    result = library.crawl()
    assert (result["ingested"], result["duplicate"]) == (1, 7)
    assert library.living() == 1
    assert len(library.proxy_files()) == 2


def test_a_file_over_another_takes_its_own_asset_along(library: Library) -> None:
    write(library.root / "a.jpg", photo(1))
    write(library.root / "b.jpg", photo(2) + b"longer")
    library.crawl()
    before = library.holders()
    (library.root / "b.jpg").replace(library.root / "a.jpg")
    result = library.crawl()
    assert (result["moved"], result["missing"]) == (1, 1)
    assert library.holders() == {b"a.jpg": before[b"b.jpg"]}


def test_chmod_is_no_work_and_touch_is_one_hash(library: Library) -> None:
    for number in range(5):
        write(library.root / f"{number}.jpg", photo(number))
    library.crawl()
    holders, proxies = library.holders(), library.proxy_files()
    for path in library.root.iterdir():
        path.chmod(0o600)
    result = library.crawl()
    assert (result["unchanged"], result["bytesRead"]) == (5, 0)
    for path in library.root.iterdir():
        os.utime(path, ns=(10**18, 10**18))
    result = library.crawl()
    assert (result["unchanged"], result["proxiesWritten"]) == (5, 0)
    assert result["bytesRead"] == sum(path.stat().st_size for path in library.root.iterdir())
    assert (library.holders(), library.proxy_files()) == (holders, proxies)
    assert library.crawl()["bytesRead"] == 0


def test_a_picture_that_broke_and_was_mended_is_the_same_asset(library: Library) -> None:
    write(library.root / "a.jpg", photo(1))
    write(library.root / "b.jpg", photo(2))
    library.crawl()
    before = library.holders()
    write(library.root / "a.jpg", b"broken while it was written")
    result = library.crawl()
    assert (result["failed"], result["missing"]) == (1, 1)
    assert library.holders() == {b"b.jpg": before[b"b.jpg"]}
    write(library.root / "a.jpg", encode((1, 1, 1), (90, 60)))
    result = library.crawl()
    assert (result["updated"], result["restored"]) == (1, 1)
    assert library.holders() == before


def swap(one: Path, other: Path) -> None:
    aside = one.with_suffix(".aside")
    one.rename(aside)
    other.rename(one)
    aside.rename(other)
