"""Folders as people, cameras and NAS systems leave them."""

import os
import time
from pathlib import Path
from typing import Any

import pytest

from domain.library.root import RootUnavailable
from tests.crawl.library import Library
from tests.crawl.pictures import encode, photo, write
from tests.fakes.crawl_context import RecordedProgress
from tests.unprivileged import as_ordinary_user

pytestmark = pytest.mark.postgres


def crawl_unprivileged(library: Library) -> Any:
    with as_ordinary_user():
        return library.crawl()


def test_a_folder_without_permission_keeps_its_state_and_shields_no_other(
    guarded_library: Library,
) -> None:
    library = guarded_library
    for number, folder in enumerate(("a", "b", "b/inner", "bc", "c")):
        write(library.root / folder / "1.jpg", photo(number))
    assert library.crawl()["ingested"] == 5
    before = library.holders()
    for number, folder in enumerate(("a", "bc", "c")):
        write(library.root / folder / "2.jpg", photo(100 + number))
    (library.root / "bc" / "1.jpg").unlink()
    (library.root / "b").chmod(0)
    result = crawl_unprivileged(library)
    assert (result["ingested"], result["foldersUnreadable"], result["outside"]) == (3, 1, 2)
    # bc/1.jpg is gone, though its path begins as that of the closed folder does.
    assert (result["missing"], result["found"]) == (1, 5)
    closed = {path: asset for path, asset in library.holders().items() if path[:2] == b"b/"}
    assert closed == {path: before[path] for path in (b"b/1.jpg", b"b/inner/1.jpg")}
    (library.root / "b").chmod(0o755)
    result = crawl_unprivileged(library)
    assert (result["unchanged"], result["outside"], result["foldersUnreadable"]) == (7, 0, 0)


def test_a_closed_folder_that_was_never_seen_is_one_unreadable_folder(
    guarded_library: Library,
) -> None:
    library = guarded_library
    for number, folder in enumerate("abc"):
        write(library.root / folder / "1.jpg", photo(number))
    library.crawl()
    write(library.root / "d" / "1.jpg", photo(9)).parent.chmod(0)
    result = crawl_unprivileged(library)
    assert (result["unchanged"], result["foldersUnreadable"], result["outside"]) == (3, 1, 0)


def test_a_closed_file_fails_alone_and_is_tried_again(guarded_library: Library) -> None:
    library = guarded_library
    write(library.root / "a.jpg", photo(1))
    library.crawl()
    write(library.root / "b.jpg", photo(2)).chmod(0)
    result = crawl_unprivileged(library)
    assert (result["unchanged"], result["failedByReason"]) == (1, {"unreadable": 1})
    (library.root / "b.jpg").chmod(0o644)
    assert crawl_unprivileged(library)["ingested"] == 1


def test_a_closed_root_fails_the_crawl_and_marks_nothing(guarded_library: Library) -> None:
    library = guarded_library
    write(library.root / "a.jpg", photo(1))
    library.crawl()
    library.root.chmod(0)
    with (
        as_ordinary_user(),
        pytest.raises(RootUnavailable, match=r"^root unavailable: Permission denied$"),
    ):
        library.crawl()
    assert library.living() == 1


def test_links_are_counted_and_each_real_photo_is_taken_once(library: Library) -> None:
    for number, folder in enumerate(("a", "a/b", "c")):
        write(library.root / folder / "photo.jpg", photo(number))
    (library.root / "a" / "b" / "up").symlink_to("../..")
    (library.root / "self").symlink_to("self")
    (library.root / "round").symlink_to("about")
    (library.root / "about").symlink_to("round")
    (library.root / "dangling.jpg").symlink_to("nowhere.jpg")
    (library.root / "again.jpg").symlink_to("a/photo.jpg")
    began = time.monotonic()
    result = library.crawl()
    assert time.monotonic() - began < 10
    assert (result["found"], result["ingested"]) == (9, 3)
    assert result["skippedByReason"] == {"link": 6}
    assert library.holders().keys() == {b"a/photo.jpg", b"a/b/photo.jpg", b"c/photo.jpg"}


NAMES = (
    b"caf\xe9.jpg",
    b"new\nline\t\\N.jpg",
    b"-rf.jpg",
    b"back\\slash.jpg",
    b"L" * 251 + b".jpg",
    b"x[Q=1].jpg",
    b"Album [2019]/12:30:00.jpg",
    b"%03d.jpg",
    b"pipe:0.jpg",
    b"'; DROP TABLE media_assets; --.jpg",
    b"  blanks  .jpg",
    "e\u0301 \u202e\U0001f600.jpg".encode(),
    b"\xff\xfe\x80.jpg",
)


def test_every_name_that_a_file_system_allows_comes_back_byte_for_byte(library: Library) -> None:
    for number, name in enumerate(NAMES):
        write(library.root / os.fsdecode(name), photo(number))
    assert library.crawl()["ingested"] == len(NAMES)
    assert library.holders().keys() == set(NAMES)
    shown = {
        bytes(row.path): row.display_path
        for row in library.rows("SELECT path, display_path FROM source_files")
    }
    assert shown[b"caf\xe9.jpg"] == "caf\ufffd.jpg"
    assert shown[b"new\nline\t\\N.jpg"] == "new\nline\t\\N.jpg"
    assert library.crawl()["unchanged"] == len(NAMES)


def test_ten_good_pictures_are_taken_and_three_bad_ones_fail_once(library: Library) -> None:
    for number in range(10):
        write(library.root / f"{number}.jpg", photo(number))
    large = encode((9, 9, 9), (400, 300), quality=100)
    write(library.root / "half.jpg", large[: len(large) // 2])
    png = bytearray(encode((1, 2, 3), (200, 200), kind="PNG"))
    png[len(png) // 2] ^= 0xFF
    write(library.root / "broken.png", bytes(png))
    write(library.root / "text.jpg", b"Dear diary, today I took a photo.")
    result = library.crawl()
    assert (result["ingested"], result["proxiesWritten"]) == (10, 20)
    assert result["failedByReason"] == {"damaged": 2, "not an image": 1}
    assert len(library.proxy_files()) == 20
    again = library.crawl()
    assert (again["unchanged"], again["failed"], again["bytesRead"]) == (10, 3, 0)
    write(library.root / "half.jpg", large)
    assert library.crawl()["ingested"] == 1


@pytest.mark.parametrize("with_files", [True, False])
def test_progress_ends_at_its_total_whatever_lies_there(
    library: Library, *, with_files: bool
) -> None:
    (library.root / "empty" / "emptier").mkdir(parents=True)
    if with_files:
        write(library.root / "a.jpg", photo(1))
        write(library.root / "copy.jpg", photo(1))
        write(library.root / "empty.jpg", b"")
        write(library.root / "notes.txt", b"hello")
        write(library.root / "text.jpg", b"no picture")
        (library.root / "link.jpg").symlink_to("a.jpg")
    found = 6 if with_files else 0
    for _ in range(2):
        progress = RecordedProgress()
        result = library.crawl(progress=progress)
        assert (result["found"], result["foldersVisited"]) == (found, 3)
        done, total, _ = progress.reports[-1]
        assert (done, total) == (found, found)


def test_chmod_and_chown_are_no_work_and_a_touch_is_one_hash_each(library: Library) -> None:
    for number in range(5):
        write(library.root / f"{number}.jpg", photo(number))
    library.crawl()
    rows = everything(library)
    for path in library.root.iterdir():
        path.chmod(0o600)
        own_anew(path)
    result = library.crawl()
    assert (result["unchanged"], result["bytesRead"]) == (5, 0)
    assert everything(library) == rows
    for path in library.root.iterdir():
        path.touch()
    size = sum(path.stat().st_size for path in library.root.iterdir())
    result = library.crawl()
    assert (result["unchanged"], result["bytesRead"]) == (5, size)
    assert (result["ingested"], result["updated"], result["proxiesWritten"]) == (0, 0, 0)
    assert [len(each) for each in everything(library)] == [len(each) for each in rows]
    assert everything(library)[1:] == rows[1:]


def own_anew(path: Path) -> None:
    """To somebody else where we may, else at least to ourselves: ctime moves."""
    if os.geteuid() == 0:
        os.chown(path, 65534, 65534)
    else:
        os.chown(path, os.getuid(), os.getgid())


def everything(library: Library) -> list[Any]:
    """Every row of the files, then of the assets with each version's number, and the proxies."""
    files = library.rows("SELECT * FROM source_files ORDER BY id")
    assets = library.rows("SELECT *, xmin::text FROM media_assets ORDER BY id")
    times = [
        (str(path), path.stat().st_mtime_ns) for path in sorted(library.proxy_path.rglob("*.jpg"))
    ]
    return [files, assets, times]
