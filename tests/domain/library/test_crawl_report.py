"""The counts add up, whatever happens."""

from domain.library.crawl_report import CrawlReport
from domain.library.media_type import MediaType
from domain.library.verdict import Disposition, FailReason, SkipReason, Verdict


def test_an_empty_report_has_every_key() -> None:
    assert CrawlReport().result(1.23456) == {
        "found": 0, "ingested": 0, "updated": 0, "moved": 0, "duplicate": 0, "unchanged": 0,
        "skipped": 0, "failed": 0, "byMediaType": {}, "skippedByReason": {},
        "failedByReason": {}, "foldersVisited": 0, "foldersUnreadable": 0, "missing": 0,
        "restored": 0, "heldBack": 0, "outside": 0, "bytesRead": 0, "proxiesWritten": 0,
        "seconds": 1.235,
    }  # fmt: skip


def full() -> CrawlReport:
    report = CrawlReport(
        found=20, folders_visited=2, folders_unreadable=1, missing=3, held_back=4, outside=5
    )
    report.add(
        Verdict(
            disposition=Disposition.INGESTED,
            media_type=MediaType.IMAGE,
            bytes_read=100,
            proxies_written=2,
            is_restored=True,
        )
    )
    report.add(
        Verdict(disposition=Disposition.UPDATED, media_type=MediaType.IMAGE, bytes_read=11,
                proxies_written=2)
    )  # fmt: skip
    report.add(
        Verdict(disposition=Disposition.UNCHANGED, media_type=MediaType.IMAGE, is_restored=True), 3
    )
    report.add(Verdict(disposition=Disposition.SKIPPED, reason=SkipReason.EMPTY), 2)
    report.add(Verdict(disposition=Disposition.SKIPPED, reason=SkipReason.CHANGING))
    report.add(Verdict(disposition=Disposition.FAILED, reason=FailReason.DAMAGED), 4)
    report.add(Verdict(disposition=Disposition.FAILED, reason=FailReason.DAMAGED))
    report.add_passed(SkipReason.LINK, 5)
    report.add_passed(SkipReason.LINK, 1)
    return report


def test_every_verdict_is_counted_once() -> None:
    result = full().result(0)
    assert result["found"] == 26
    assert result["ingested"] == result["updated"] == 1
    assert result["unchanged"] == 3
    assert (result["skipped"], result["failed"]) == (9, 5)
    assert result["byMediaType"] == {"Image": 5}
    assert result["skippedByReason"] == {"changing": 1, "empty": 2, "link": 6}
    assert result["failedByReason"] == {"damaged": 5}
    assert result["restored"] == 4
    assert (result["bytesRead"], result["proxiesWritten"]) == (111, 4)
    assert (result["foldersVisited"], result["foldersUnreadable"]) == (2, 1)
    assert (result["missing"], result["heldBack"], result["outside"]) == (3, 4, 5)
    assert "notReached" not in result


def test_a_stopped_crawl_says_how_many_it_did_not_reach() -> None:
    report = full()
    assert report.settled == 19
    assert report.result(0, is_stopped=True)["notReached"] == 7


def test_the_note_counts() -> None:
    report = CrawlReport(found=1204)
    report.add(Verdict(disposition=Disposition.INGESTED), 1037)
    report.add(Verdict(disposition=Disposition.FAILED, reason=FailReason.DAMAGED), 2000)
    assert report.note() == "1,204 found, 1,037 new, 2,000 failed"


def test_the_note_tells_what_is_rarer_where_there_is_some() -> None:
    report = CrawlReport(
        found=9_000, restored=1, missing=2_000, held_back=30_000, folders_unreadable=3
    )
    report.add(Verdict(disposition=Disposition.UPDATED), 1_500)
    report.add(Verdict(disposition=Disposition.MOVED), 7)
    assert report.note() == (
        "9,000 found, 0 new, 0 failed, 1,500 updated, 7 moved, 1 restored, 2,000 missing,"
        " 30,000 held back, 3 folders unreadable"
    )
    assert CrawlReport(found=8).note(1_234) == "8 found, 0 new, 0 failed, 1,234 compared"


def test_reasons_that_never_came_up_are_left_out() -> None:
    report = CrawlReport()
    report.add(Verdict(disposition=Disposition.SKIPPED, reason=SkipReason.EMPTY), 0)
    assert report.result(0)["skippedByReason"] == {}


def test_live_photos_are_counted_among_the_pictures() -> None:
    report = CrawlReport(found=5, live_photos=2)
    report.add(Verdict(disposition=Disposition.INGESTED, media_type=MediaType.IMAGE), 3)
    report.add(Verdict(disposition=Disposition.INGESTED, media_type=MediaType.VIDEO), 2)
    assert report.result(0)["byMediaType"] == {"Image": 1, "LivePhoto": 2, "Video": 2}


def test_no_more_live_photos_are_counted_than_pictures_were_reached() -> None:
    report = CrawlReport(found=5, live_photos=2)
    report.add(Verdict(disposition=Disposition.INGESTED, media_type=MediaType.IMAGE))
    assert report.result(0)["byMediaType"] == {"LivePhoto": 1}
