"""Progress, due-ness, cursors and tags."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from uuid import UUID

import pytest

from domain.work.attempt import AttemptTag, ClaimLost
from domain.work.cursor import format_instant, parse_cursor
from domain.work.due import History, is_due
from domain.work.progress import Progress, progress_of

NOW = datetime(2026, 1, 2, tzinfo=UTC)
DAY = timedelta(days=1)
MILLISECOND = timedelta(milliseconds=1)


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ((0, None, None), Progress(done=0)),
        ((3, 10, "n"), Progress(done=3, total=10, note="n")),
        ((-1, -5, ""), Progress(done=0, total=0, note="")),
        ((2**63, 2**64, None), Progress(done=2**63 - 1, total=2**63 - 1)),
        ((1, None, "n" * 300), Progress(done=1, note="n" * 200)),
    ],
)
def test_progress_is_brought_within_what_can_be_stored(
    given: tuple[int, int | None, str | None], stored: Progress
) -> None:
    assert progress_of(*given) == stored


@pytest.mark.parametrize(
    ("ended", "due"),
    [
        (None, True),
        (NOW - DAY, True),
        (NOW - DAY - MILLISECOND, True),
        (NOW - DAY + MILLISECOND, False),
    ],
)
def test_a_key_is_due_an_interval_after_its_last_end(ended: datetime | None, due: bool) -> None:
    history = History(is_queued_or_running=False, last_finished_at=ended)
    assert is_due(history, interval=DAY, now=NOW) is due
    busy = History(is_queued_or_running=True, last_finished_at=ended)
    assert is_due(busy, interval=DAY, now=NOW) is False


@pytest.fixture
def far_from_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("far_from_utc")
def test_an_instant_is_written_in_utc_with_microseconds() -> None:
    assert format_instant(NOW) == "2026-01-02T00:00:00.000000Z"
    east = NOW.astimezone(timezone(timedelta(hours=2))) + timedelta(microseconds=7)
    assert format_instant(east) == "2026-01-02T00:00:00.000007Z"


def test_a_cursor_survives_the_round_trip() -> None:
    text = "2026-01-02T00:00:00.000007Z"
    parsed = parse_cursor(text)
    assert parsed == NOW + timedelta(microseconds=7)
    assert parsed is not None
    assert format_instant(parsed) == text


def test_the_first_cursor_there_can_be() -> None:
    assert parse_cursor("1970-01-01T00:00:00Z") == datetime(1970, 1, 1, tzinfo=UTC)


def test_a_cursor_may_leave_out_its_fraction() -> None:
    assert parse_cursor("2026-01-02T00:00:00Z") == NOW


@pytest.mark.parametrize(
    "text",
    [
        "",
        "newest",
        "2026-01-02",
        "2026-01-02T00:00:00",
        "2026-01-02T00:00:00+00:00",
        "2026-13-02T00:00:00Z",
        "2026-01-02T00:00:00.1234567Z",
        "x2026-01-02T00:00:00Z",
        "0001-01-01T00:00:00Z",
        "1969-12-31T23:59:59.999999Z",
        "2026-01-02T00:00:00Zx",
        "٢٠٢٦-01-02T00:00:00Z",
    ],
)
def test_what_is_no_cursor_is_none(text: str) -> None:
    assert parse_cursor(text) is None


def test_a_lost_claim_names_its_attempt() -> None:
    tag = AttemptTag(item_id=UUID(int=7), attempt=3)
    error = ClaimLost(tag)
    assert error.tag == tag
    assert str(error) == f"attempt 3 of work item {UUID(int=7)} was fenced off"
