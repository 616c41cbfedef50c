"""A whole crawl, step by step, with everything in memory."""

import threading
from dataclasses import replace

import pytest

from application.crawling import reconcile
from domain.errors import NotFound
from domain.library.crawl_report import CrawlReport
from domain.library.root import RootEmpty, RootUnavailable
from domain.library.verdict import Disposition
from tests.application.crawling.world import CONFIG, World


def test_a_first_crawl_takes_every_picture_up() -> None:
    world = World()
    for name in ("a.jpg", "b/c.png", "d.gif"):
        world.originals.put(name, f"picture {name}")
    world.originals.put("notes.txt", b"text")
    world.originals.put("clip.3gp", b"")
    world.originals.put("empty.jpg", b"")
    world.originals.links = 2
    result = world.crawl()
    assert result["found"] == 8
    assert result["ingested"] == 3
    assert result["byMediaType"] == {"Image": 3}
    assert result["bytesRead"] == 3 * 3 + len("picture a.jpgpicture b/c.pngpicture d.gif")
    assert result["skippedByReason"] == {"empty": 1, "link": 2, "unsupported": 2}
    assert result["foldersVisited"] == 4
    assert result["foldersUnreadable"] == 0
    assert result["proxiesWritten"] == 6
    assert result["seconds"] == 1.5
    assert "notReached" not in result
    assert world.opened == [CONFIG]
    assert world.originals.checked == [b"/photos"]
    assert len(world.proxies.kept) == 3


def test_a_second_crawl_opens_nothing() -> None:
    world = World()
    world.originals.put("a.jpg", "picture")
    world.originals.put("copy.jpg", "picture")
    world.originals.put("bad.jpg", b"no picture")
    world.crawl()
    world.originals.opened.clear()
    result = world.crawl()
    assert (result["unchanged"], result["duplicate"], result["failed"]) == (1, 1, 1)
    assert (result["bytesRead"], result["byMediaType"]) == (0, {"Image": 2})
    assert world.originals.opened == []
    assert [attempt for attempt, *_ in world.library.failures] == [1, 2]


def test_an_unknown_config_is_not_crawled() -> None:
    world = World()
    world.folders.folders.clear()
    with pytest.raises(NotFound):
        world.crawl()


def test_an_unavailable_root_fails_before_anything_is_opened() -> None:
    world = World()
    world.originals.unavailable = "it is away"
    with pytest.raises(RootUnavailable, match=r"^root unavailable: it is away$"):
        world.crawl()
    assert world.opened == []


def test_a_root_that_was_replaced_during_the_listing_changes_nothing() -> None:
    world = World()
    world.originals.put("a.jpg", "picture")
    world.crawl()
    world.originals.files.clear()
    world.originals.put("b.jpg", "another")
    world.originals.replaced = True
    with pytest.raises(RootUnavailable):
        world.crawl()
    assert world.library.holders().keys() == {b"a.jpg"}


def test_a_root_that_is_suddenly_empty_changes_nothing() -> None:
    world = World()
    world.originals.put("a.jpg", "picture")
    world.crawl()
    world.originals.files.clear()
    with pytest.raises(RootEmpty, match=r"^root empty: it held 1 assets and now holds no file$"):
        world.crawl()
    assert len(world.library.living()) == 1


def test_what_lies_below_an_unreadable_folder_keeps_its_state() -> None:
    world = World()
    for name in ("a/1.jpg", "b/1.jpg", "c/1.jpg"):
        world.originals.put(name, name)
    world.crawl()
    world.originals.unreadable_folders = [b"b", b"e"]
    del world.originals.files[b"c/1.jpg"]
    result = world.crawl()
    assert (result["foldersUnreadable"], result["outside"], result["missing"]) == (2, 1, 1)
    assert world.library.holders().keys() == {b"a/1.jpg", b"b/1.jpg"}


def test_a_file_that_the_system_will_not_describe_keeps_its_state() -> None:
    world = World()
    for name in ("a.jpg", "a.jpg2.jpg", "b.jpg"):
        world.originals.put(name, name)
    world.crawl()
    world.originals.unreadable_folders = [b"a.jpg"]
    del world.originals.files[b"a.jpg2.jpg"]
    result = world.crawl()
    assert (result["found"], result["outside"], result["missing"]) == (1, 1, 1)
    assert world.library.holders().keys() == {b"a.jpg", b"b.jpg"}


def test_moves_and_swaps_keep_ids_and_proxies() -> None:
    world = World()
    for name in ("x.jpg", "y.jpg", "z.jpg"):
        world.originals.put(name, f"picture {name}", mtime_ns=ord(name[0]))
    world.crawl()
    before = world.library.holders()
    kept = dict(world.proxies.kept)
    world.originals.move("z.jpg", "album/z.jpg")
    files = world.originals.files
    files[b"x.jpg"], files[b"y.jpg"] = files[b"y.jpg"], files[b"x.jpg"]
    result = world.crawl()
    assert (result["moved"], result["bytesRead"] > 0) == (3, True)
    assert world.library.holders() == {
        b"x.jpg": before[b"y.jpg"],
        b"y.jpg": before[b"x.jpg"],
        b"album/z.jpg": before[b"z.jpg"],
    }
    assert world.proxies.kept == kept


def test_a_touched_file_is_hashed_once_and_nothing_else() -> None:
    world = World()
    world.originals.put("a.jpg", "picture", mtime_ns=1)
    world.crawl()
    world.hasher.hashed = 0
    world.originals.put("a.jpg", "picture", mtime_ns=2)
    result = world.crawl()
    assert (result["unchanged"], result["byMediaType"]) == (1, {"Image": 1})
    assert world.hasher.hashed == 1
    assert result["bytesRead"] == len(world.originals.files[b"a.jpg"].content)
    assert world.crawl()["bytesRead"] == 0


def test_a_changed_file_keeps_its_asset() -> None:
    world = World()
    world.originals.put("a.jpg", "picture")
    world.crawl()
    asset = world.id_of("a.jpg")
    world.originals.put("a.jpg", "another picture")
    result = world.crawl()
    assert (result["updated"], result["proxiesWritten"]) == (1, 2)
    assert world.id_of("a.jpg") == asset
    assert world.proxies.kept[asset][0] == b"small \xff\xd8\xffanother picture"


def test_the_gone_go_and_the_returned_return() -> None:
    world = World()
    world.originals.put("a.jpg", "a")
    world.originals.put("b.jpg", "b")
    world.originals.put("bad.jpg", b"bad")
    world.crawl()
    before = world.library.holders()
    aside = world.originals.files.pop(b"a.jpg")
    del world.originals.files[b"bad.jpg"]
    result = world.crawl()
    assert (result["missing"], result["restored"]) == (1, 0)
    assert b"bad.jpg" not in world.library.files
    world.originals.files[b"a.jpg"] = aside
    result = world.crawl()
    assert (result["missing"], result["restored"], result["unchanged"]) == (0, 1, 2)
    assert world.library.holders() == before


def test_a_missing_file_that_returns_elsewhere_is_restored_by_its_move() -> None:
    world = World()
    world.originals.put("a.jpg", "a")
    world.originals.put("b.jpg", "b")
    world.crawl()
    asset = world.id_of("a.jpg")
    aside = world.originals.files.pop(b"a.jpg")
    world.crawl()
    world.originals.files[b"new/a.jpg"] = aside
    result = world.crawl()
    assert (result["moved"], result["restored"]) == (1, 1)
    assert world.id_of("new/a.jpg") == asset


def test_a_broken_file_that_is_mended_is_restored_as_the_asset_that_it_was() -> None:
    world = World()
    world.originals.put("a.jpg", "a")
    world.crawl()
    asset = world.id_of("a.jpg")
    world.originals.put("a.jpg", "DAMAGED")
    result = world.crawl()
    assert (result["failed"], result["missing"]) == (1, 1)
    world.originals.put("a.jpg", "mended")
    result = world.crawl()
    assert (result["updated"], result["restored"]) == (1, 1)
    assert world.id_of("a.jpg") == asset


def test_the_second_copy_inherits_when_the_first_goes() -> None:
    world = World()
    world.originals.put("a.jpg", "a")
    world.crawl()
    world.originals.put("copy.jpg", "a")
    assert world.crawl()["duplicate"] == 1
    asset = world.id_of("a.jpg")
    del world.originals.files[b"a.jpg"]
    assert world.crawl()["missing"] == 0
    assert world.library.holders() == {b"copy.jpg": asset}


def test_the_brake_holds_back_most_of_a_library() -> None:
    world = World()
    for number in range(40):
        world.originals.put(f"{number:02}.jpg", str(number))
    world.crawl()
    for number in range(21):
        del world.originals.files[f"{number:02}.jpg".encode()]
    result = world.crawl()
    assert (result["heldBack"], result["missing"]) == (21, 0)
    assert len(world.library.living()) == 40
    world.originals.put("00.jpg", "0")
    result = world.crawl()
    assert (result["heldBack"], result["missing"]) == (0, 20)


def test_a_root_that_leads_into_another_config_s_folder_is_not_crawled() -> None:
    world = World()
    world.originals.put("a.jpg", "a")
    folder = world.folders.folders[world.config]
    world.folders.folders[world.config] = replace(folder, others=["/elsewhere", "/photos/theirs"])
    with pytest.raises(RootUnavailable, match="another storage config"):
        world.crawl()
    assert world.opened == []
    world.folders.folders[world.config] = replace(folder, others=["/elsewhere"])
    assert world.crawl()["ingested"] == 1


def test_files_of_different_content_are_developed_at_the_same_time() -> None:
    world = World(concurrency=2)
    world.originals.put("a.jpg", "a")
    world.originals.put("b.jpg", "b")
    both = threading.Barrier(2)

    def meet(_: bytes) -> None:
        both.wait(5)

    world.developer.before = meet
    assert world.crawl()["ingested"] == 2


def test_many_batches_of_missing_and_returned_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconcile, "ROWS_PER_BATCH", 2)
    world = World()
    for number in range(10):
        world.originals.put(f"{number}.jpg", str(number))
    world.crawl()
    aside = dict(world.originals.files)
    for number in range(5):
        del world.originals.files[f"{number}.jpg".encode()]
    assert world.crawl()["missing"] == 5
    world.originals.files.update(aside)
    assert world.crawl()["restored"] == 5


def test_many_files_are_ingested_by_many_threads_each_once() -> None:
    world = World(concurrency=4)
    for number in range(60):
        world.originals.put(f"{number:02}.jpg", str(number // 2))
    result = world.crawl()
    assert (result["ingested"], result["duplicate"]) == (30, 30)
    assert len(world.library.assets) == 30


def test_more_files_than_a_page_are_all_reached() -> None:
    world = World()
    world.originals.batch_size = 400
    for number in range(1001):
        world.originals.put(f"{number:04}.jpg", str(number), mtime_ns=1)
    assert world.crawl()["ingested"] == 1001
    for number in range(1001):
        world.originals.put(f"{number:04}.jpg", str(number), mtime_ns=2)
    world.hasher.hashed = 0
    assert world.crawl()["unchanged"] == 1001
    assert world.hasher.hashed == 1001


def test_progress_is_told_during_the_listing_and_after_every_file() -> None:
    world = World()
    for name in ("a.jpg", "b.jpg", "c.jpg"):
        world.originals.put(name, name)
    world.originals.put("bad.jpg", b"bad")
    world.crawl()
    assert world.progress.reports[:4] == [
        (2, None, None),
        (4, None, None),
        (4, None, None),
        (0, 4, "4 found, 0 new, 0 failed"),
    ]
    assert [each[:2] for each in world.progress.reports[4:]] == [
        (1, 4), (2, 4), (3, 4), (4, 4), (4, 4),
    ]  # fmt: skip
    assert world.progress.reports[-1] == (4, 4, "4 found, 3 new, 1 failed")


def test_progress_moves_while_files_are_compared() -> None:
    world = World()
    for name in ("a.jpg", "b.jpg"):
        world.originals.put(name, name, mtime_ns=1)
    world.crawl()
    for name in ("a.jpg", "b.jpg"):
        world.originals.put(name, name, mtime_ns=2)
    world.progress.reports.clear()
    world.crawl()
    assert world.progress.reports == [
        (2, None, None),
        (2, None, None),
        (0, 2, "2 found, 0 new, 0 failed"),
        (0, 2, "2 found, 0 new, 0 failed, 1 compared"),
        (0, 2, "2 found, 0 new, 0 failed, 2 compared"),
        (1, 2, "2 found, 0 new, 0 failed"),
        (2, 2, "2 found, 0 new, 0 failed"),
        (2, 2, "2 found, 0 new, 0 failed"),
    ]


def test_progress_moves_while_the_missing_leave_and_the_returned_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reconcile, "ROWS_PER_BATCH", 2)
    world = World()
    for number in range(6):
        world.originals.put(f"{number}.jpg", f"{number}")
    world.crawl()
    away = {name: world.originals.files.pop(name) for name in sorted(world.originals.files)[:3]}
    world.progress.reports.clear()
    world.crawl()
    assert [note for _, _, note in world.progress.reports if note][-4:] == [
        "3 found, 0 new, 0 failed",
        "3 found, 0 new, 0 failed, 2 missing",
        "3 found, 0 new, 0 failed, 3 missing",
        "3 found, 0 new, 0 failed, 3 missing",
    ]
    world.originals.files.update(away)
    world.progress.reports.clear()
    world.crawl()
    assert [note for _, _, note in world.progress.reports if note][-3:] == [
        "6 found, 0 new, 0 failed, 2 restored",
        "6 found, 0 new, 0 failed, 3 restored",
        "6 found, 0 new, 0 failed, 3 restored",
    ]


def test_a_report_of_nothing_is_settled() -> None:
    report = CrawlReport()
    assert report.settled == 0
    assert report.dispositions[Disposition.FAILED] == 0
