"""What goes missing, what comes back, and what makes a crawl distrust its folder."""

import shutil
from pathlib import Path

import pytest

from domain.library.root import RootEmpty, RootUnavailable
from tests.crawl.doubles import BlindOriginals, VanishingOriginals
from tests.crawl.library import Library
from tests.crawl.pictures import photo, write

pytestmark = pytest.mark.postgres


def fill(library: Library, count: int) -> None:
    for number in range(count):
        write(library.root / f"{number:03}.jpg", photo(number))


def test_a_gone_file_is_soft_deleted_and_restored_with_its_id_and_proxies(library: Library) -> None:
    fill(library, 3)
    library.crawl()
    before, proxies = library.holders(), library.proxy_files()
    aside = library.base / "aside.jpg"
    (library.root / "001.jpg").rename(aside)
    result = library.crawl()
    assert (result["found"], result["missing"]) == (2, 1)
    assert library.holders().keys() == {b"000.jpg", b"002.jpg"}
    assert library.crawl()["missing"] == 0
    aside.rename(library.root / "001.jpg")
    result = library.crawl()
    assert (result["unchanged"], result["restored"], result["bytesRead"]) == (3, 1, 0)
    assert library.holders() == before
    assert library.proxy_files() == proxies


def test_a_missing_file_that_returns_elsewhere_is_a_move(library: Library) -> None:
    fill(library, 3)
    library.crawl()
    before = library.holders()
    aside = library.base / "aside.jpg"
    (library.root / "001.jpg").rename(aside)
    library.crawl()
    write(library.root / "back" / "again.jpg", aside.read_bytes())
    result = library.crawl()
    assert (result["moved"], result["restored"]) == (1, 1)
    assert library.holders()[b"back/again.jpg"] == before[b"001.jpg"]


def test_an_emptied_root_fails_the_crawl_and_deletes_nothing(library: Library) -> None:
    fill(library, 20)
    library.crawl()
    for path in library.root.iterdir():
        path.unlink()
    with pytest.raises(RootEmpty, match=r"^root empty: it held 20 assets and now holds no file$"):
        library.crawl()
    assert library.living() == 20


def test_a_root_that_is_gone_fails_the_crawl_and_deletes_nothing(library: Library) -> None:
    fill(library, 20)
    library.crawl()
    shutil.rmtree(library.root)
    with pytest.raises(RootUnavailable, match=r"^root unavailable: No such file or directory$"):
        library.crawl()
    assert library.living() == 20


def test_a_listing_that_breaks_off_fails_the_crawl_and_deletes_nothing(library: Library) -> None:
    fill(library, 20)
    library.crawl()
    library.originals = VanishingOriginals(
        worker_root=library.root.parent, proxy_path=library.proxy_path
    )
    with pytest.raises(RootUnavailable, match="could not be listed to its end"):
        library.crawl()
    assert library.living() == 20


@pytest.mark.parametrize(
    ("total", "gone", "missing", "held_back"),
    [(40, 21, 0, 21), (42, 21, 21, 0), (22, 20, 20, 0), (50, 30, 0, 30)],
)
def test_the_brake_holds_back_most_of_a_library(
    library: Library, total: int, gone: int, missing: int, held_back: int
) -> None:
    fill(library, total)
    library.crawl()
    for path in sorted(library.root.iterdir())[:gone]:
        path.unlink()
    result = library.crawl()
    assert (result["missing"], result["heldBack"]) == (missing, held_back)
    assert library.living() == total - missing
    result = library.crawl()
    assert (result["missing"], result["heldBack"]) == (0, held_back)


def test_what_was_known_below_an_unreadable_folder_keeps_its_state(library: Library) -> None:
    for folder in "abc":
        write(library.root / folder / "1.jpg", photo(ord(folder)))
    library.crawl()
    write(library.root / "a" / "2.jpg", photo(1))
    write(library.root / "c" / "2.jpg", photo(2))
    (library.root / "c" / "1.jpg").unlink()
    library.originals = BlindOriginals(
        worker_root=library.root.parent, proxy_path=library.proxy_path, folder=b"b"
    )
    result = library.crawl()
    assert (result["ingested"], result["foldersUnreadable"], result["outside"]) == (2, 1, 1)
    assert (result["found"], result["missing"]) == (3, 1)
    assert library.holders().keys() == {b"a/1.jpg", b"a/2.jpg", b"b/1.jpg", b"c/2.jpg"}


def test_a_file_that_the_system_will_not_describe_keeps_its_state(library: Library) -> None:
    for name in ("a.jpg", "a.jpg2.jpg", "b.jpg"):
        write(library.root / name, photo(len(name) + ord(name[0])))
    library.crawl()
    (library.root / "a.jpg2.jpg").unlink()
    library.originals = BlindOriginals(
        worker_root=library.root.parent, proxy_path=library.proxy_path, folder=b"a.jpg"
    )
    result = library.crawl()
    assert (result["found"], result["outside"], result["missing"]) == (1, 1, 1)
    assert library.holders().keys() == {b"a.jpg", b"b.jpg"}


def test_a_copy_of_what_lies_below_an_unreadable_folder_is_a_duplicate(library: Library) -> None:
    write(library.root / "b" / "1.jpg", photo(1))
    library.crawl()
    write(library.root / "copy.jpg", photo(1))
    library.originals = BlindOriginals(
        worker_root=library.root.parent, proxy_path=library.proxy_path, folder=b"b"
    )
    assert library.crawl()["duplicate"] == 1


def test_a_root_outside_the_workers_root_is_refused(library: Library, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    write(outside / "a.jpg", photo(1))
    library.root.rmdir()
    library.root.symlink_to(outside)
    with pytest.raises(RootUnavailable, match=r"^root unavailable: it is not below WORKER__ROOT$"):
        library.crawl()


def test_what_failed_is_remembered_while_the_volume_is_away(library: Library) -> None:
    for number in range(40):
        write(library.root / f"{number:02}.jpg", photo(number))
    text = write(library.root / "text.jpg", b"this is no picture")
    library.crawl()
    aside = library.base / "aside"
    aside.mkdir()
    for path in [*sorted(library.root.iterdir())[:30], text]:
        path.rename(aside / path.name)
    assert library.crawl()["heldBack"] == 30
    for path in aside.iterdir():
        path.rename(library.root / path.name)
    result = library.crawl()
    assert (result["failed"], result["bytesRead"]) == (1, 0)


def test_a_root_whose_only_folder_cannot_be_read_is_not_empty(library: Library) -> None:
    for number in range(30):
        write(library.root / "all" / f"{number}.jpg", photo(number))
    library.crawl()
    library.originals = BlindOriginals(
        worker_root=library.base / "originals", proxy_path=library.proxy_path, folder=b"all"
    )
    result = library.crawl()
    assert (result["found"], result["outside"], result["foldersUnreadable"]) == (0, 30, 1)
    assert library.living() == 30
