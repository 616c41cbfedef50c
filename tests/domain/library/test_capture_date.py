"""Which date a picture was taken on."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from domain.library.capture_date import (
    Calendar,
    CaptureDate,
    CaptureSource,
    RawDate,
    RawDates,
    capture_date,
)

NOW = datetime(2024, 6, 1, 12, 0, tzinfo=UTC)
BERLIN = Calendar(zone=ZoneInfo("Europe/Berlin"), now=NOW)
MTIME = int(datetime(2020, 1, 2, 3, 4, 5, 678_901, tzinfo=UTC).timestamp()) * 10**9 + 678_901_234
ESTIMATED = CaptureDate(
    local=datetime(2020, 1, 2, 4, 4, 5, 678_901),  # noqa: DTZ001
    offset=timedelta(hours=1),
    source=CaptureSource.FILE,
)


def local(*parts: int) -> datetime:
    return datetime(*parts)  # type: ignore[arg-type]  # noqa: DTZ001


def original(text: str | None, fraction: str | None = None, offset: str | None = None) -> RawDates:
    return RawDates(original=RawDate(text=text, fraction=fraction, offset=offset))


def found(raw: RawDates, mtime_ns: int = MTIME) -> CaptureDate:
    date = capture_date(raw, mtime_ns, BERLIN)
    assert date is not None
    return date


def test_the_camera_s_date_is_local_time_without_a_zone() -> None:
    assert found(original("2021:03:04 05:06:07")) == CaptureDate(
        local=local(2021, 3, 4, 5, 6, 7), offset=None, source=CaptureSource.ORIGINAL
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2015-02-04 12:30:00", local(2015, 2, 4, 12, 30)),
        ("2015/02/04 12:30:00", local(2015, 2, 4, 12, 30)),
        ("2015.02.04 12:30:00", local(2015, 2, 4, 12, 30)),
        ("2015:2:4 1:30:09", local(2015, 2, 4, 1, 30, 9)),
        ("2015-02-04T12:30", local(2015, 2, 4, 12, 30)),
        ("2015-02-04", local(2015, 2, 4)),
        ("  2015:02:04 12:30:00  ", local(2015, 2, 4, 12, 30)),
        ("2015:02:04 12:30:00\x00junk", local(2015, 2, 4, 12, 30)),
        ("2015-02-04T12:30:00.5", local(2015, 2, 4, 12, 30, 0, 500_000)),
        ("2015-02-04T12:30:00,25", local(2015, 2, 4, 12, 30, 0, 250_000)),
        ("2015-02-04T12:30:00.1234567", local(2015, 2, 4, 12, 30, 0, 123_456)),
        ("1900:01:01 00:00:00", local(1900, 1, 1)),
        ("1903:12:31 23:59:59", local(1903, 12, 31, 23, 59, 59)),
        ("1905:01:01 00:00:00", local(1905, 1, 1)),
        ("1969:12:31 23:59:59", local(1969, 12, 31, 23, 59, 59)),
        ("1970:01:02 00:00:00", local(1970, 1, 2)),
        ("2024:02:29 10:00:00", local(2024, 2, 29, 10)),
    ],
)
def test_dates_are_read_in_the_forms_that_cameras_write(text: str, expected: datetime) -> None:
    date = found(original(text))
    assert (date.local, date.source) == (expected, CaptureSource.ORIGINAL)


@pytest.mark.parametrize(
    "text",
    [
        None, "", "    :  :     :  :  ", "0000:00:00 00:00:00", "2021:13:01 00:00:00",
        "2021:02:29 00:00:00", "2021:01:01 24:00:00", "2021:01:01 00:60:00",
        "2021:01:01 00:00:60", "1899:12:31 23:59:59", "1904:01:01 00:00:00",
        "1904:01:01 00:00:01", "1904:12:31 23:59:59", "1970:01:01 23:59:59",
        "1970:01:01 00:00:00", "9999:12:31 23:59:59", "2099:09:29 10:10:10", "yesterday",
        "2021:03:04 05:06:07 and more", "x2021:03:04 05:06:07",
    ],
)  # fmt: skip
def test_what_is_no_date_gives_way_to_the_file_s_own_time(text: str | None) -> None:
    assert found(original(text)) == ESTIMATED


def test_only_the_file_s_own_time_is_estimated() -> None:
    assert ESTIMATED.is_estimated
    assert not found(original("2021:03:04 05:06:07")).is_estimated


def test_fraction_and_offset_are_kept_where_they_make_sense() -> None:
    date = found(original("2021:03:04 05:06:07", "890", "+09:30"))
    assert date.local == local(2021, 3, 4, 5, 6, 7, 890_000)
    assert date.offset == timedelta(hours=9, minutes=30)


@pytest.mark.parametrize(
    ("fraction", "expected"),
    [("1", 100_000), ("000001", 1), (" 89 ", 890_000), ("9999999", 999_999), ("x", 0), ("²", 0),
     ("-1", 0), ("", 0), (None, 0)],
)  # fmt: skip
def test_fractions_are_microseconds(fraction: str | None, expected: int) -> None:
    assert found(original("2021:03:04 05:06:07", fraction)).local.microsecond == expected


def test_a_field_for_the_fraction_goes_before_one_in_the_text() -> None:
    assert found(original("2021-03-04T05:06:07.25", "5")).local.microsecond == 500_000


@pytest.mark.parametrize(
    ("offset", "minutes"),
    [("+00:00", 0), ("Z", 0), ("-05:30", -330), ("+0530", 330), ("+14:00", 840), ("-14:00", -840),
     ("+02:00\x00", 120)],
)  # fmt: skip
def test_offsets_are_read(offset: str, minutes: int) -> None:
    date = found(original("2021:03:04 05:06:07", None, offset))
    assert date.offset == timedelta(minutes=minutes)


@pytest.mark.parametrize("offset", ["", "   :  ", "+14:01", "-23:59", "02:00", "+2", "z", None])
def test_an_impossible_offset_is_left_out_and_the_date_kept(offset: str | None) -> None:
    date = found(original("2021:03:04 05:06:07", None, offset))
    assert (date.local, date.offset) == (local(2021, 3, 4, 5, 6, 7), None)


def test_a_field_for_the_offset_goes_before_one_in_the_text() -> None:
    assert found(original("2021-03-04T05:06:07+01:00", None, "+02:00")).offset == timedelta(hours=2)
    assert found(original("2021-03-04T05:06:07-07:00")).offset == timedelta(hours=-7)
    assert found(original("2021-03-04T05:06:07Z")).offset == timedelta()


def test_sources_come_in_their_order() -> None:
    one, two = RawDate(text="2001:01:01 01:01:01"), RawDate(text="2002:01:01 01:01:01")
    xmp = ("nonsense", "2003-01-01T01:01:01", "2004-01-01T01:01:01")
    everything = RawDates(original=one, created=two, xmp=xmp)
    assert found(everything).local.year == 2001
    created = found(RawDates(created=two, xmp=xmp))
    assert (created.local.year, created.source) == (2002, CaptureSource.CREATED)
    from_xmp = found(RawDates(xmp=xmp))
    assert (from_xmp.local.year, from_xmp.source) == (2003, CaptureSource.XMP)


def test_a_day_ahead_is_possible_and_more_is_not() -> None:
    # Now is 14:00 in Berlin.
    assert found(original("2024:06:02 14:00:00")).source is CaptureSource.ORIGINAL
    assert found(original("2024:06:02 14:00:01")) == ESTIMATED
    assert found(original("2024:06:03 02:00:00", None, "+14:00")).source is CaptureSource.ORIGINAL
    assert found(original("2024:06:03 02:00:01", None, "+14:00")) == ESTIMATED


DAY_NS = 86_400 * 10**9


@pytest.mark.parametrize(
    "mtime_ns", [-1, 0, -(10**9), DAY_NS, 2 * DAY_NS - 1000, 1000 - 2 * DAY_NS]
)
def test_a_file_s_time_near_1970_is_no_date(mtime_ns: int) -> None:
    assert capture_date(RawDates(), mtime_ns, BERLIN) is None


def test_a_file_s_time_further_from_1970_is_one() -> None:
    assert found(RawDates(), 2 * DAY_NS).local == local(1970, 1, 3, 1)
    assert found(RawDates(), -2 * DAY_NS).local == local(1969, 12, 30, 1)


def nanoseconds(*parts: int) -> int:
    return round(datetime(*parts, tzinfo=UTC).timestamp()) * 10**9  # type: ignore[arg-type, misc]


def test_a_file_s_time_has_the_same_limits_as_any_date() -> None:
    # Berlin was at UTC+1 in 1900 and is at UTC+2 in June.
    assert found(RawDates(), nanoseconds(1899, 12, 31, 23)).local == local(1900, 1, 1)
    assert capture_date(RawDates(), nanoseconds(1899, 12, 31, 22, 59, 59), BERLIN) is None
    assert found(RawDates(), nanoseconds(2024, 6, 2, 12)).local == local(2024, 6, 2, 14)
    assert capture_date(RawDates(), nanoseconds(2024, 6, 2, 12, 0, 1), BERLIN) is None


@pytest.mark.parametrize("mtime_ns", [2**63 - 1, -(2**63), 10**24])
def test_a_file_s_time_beyond_the_calendar_is_no_date(mtime_ns: int) -> None:
    assert capture_date(RawDates(), mtime_ns, BERLIN) is None


def test_a_file_s_time_is_cut_to_microseconds() -> None:
    assert found(RawDates(), 10**18 + 1_999).local == local(2001, 9, 9, 3, 46, 40, 1)


def of_video(apple: str | None = None, utc: str | None = None) -> RawDates:
    return RawDates(apple=RawDate(text=apple), utc=RawDate(text=utc))


def test_a_video_s_own_zone_comes_before_its_instant() -> None:
    date = found(of_video("2022-05-06T16:38:09+0930", "2022-05-06T07:08:09.000000Z"))
    assert date == CaptureDate(
        local=local(2022, 5, 6, 16, 38, 9),
        offset=timedelta(hours=9, minutes=30),
        source=CaptureSource.APPLE,
    )
    assert not date.is_estimated


def test_a_video_s_instant_is_told_in_the_config_s_zone() -> None:
    summer = found(of_video(utc="2022-05-06T22:08:09.250000Z"))
    assert summer == CaptureDate(
        local=local(2022, 5, 7, 0, 8, 9, 250_000),
        offset=timedelta(hours=2),
        source=CaptureSource.UTC,
    )
    assert not summer.is_estimated
    assert found(of_video(utc="2022-01-06T22:08:09Z")).local == local(2022, 1, 6, 23, 8, 9)


@pytest.mark.parametrize(
    "utc",
    [
        "1904-01-01T00:00:00Z", "1904-06-01T10:00:00Z", "1970-01-01T00:00:00Z",
        "1970-01-02T23:59:59Z", "1969-12-31T00:00:00Z", "1899-12-31T00:00:00Z",
        "2024-06-02T12:00:01Z", "9999-12-31T23:59:59Z", "", "0000-00-00T00:00:00Z", "now",
    ],
)  # fmt: skip
def test_a_video_s_zero_and_what_cannot_be_is_the_file_s_time(utc: str) -> None:
    assert found(of_video(utc=utc)) == ESTIMATED


@pytest.mark.parametrize(
    ("utc", "expected"),
    [
        ("1970-01-03T00:00:00Z", local(1970, 1, 3, 1)),
        ("1905-01-01T00:00:00Z", local(1905, 1, 1, 1)),
        ("2024-06-02T12:00:00Z", local(2024, 6, 2, 14)),
    ],
)
def test_what_is_just_possible_is_a_video_s_date(utc: str, expected: datetime) -> None:
    assert found(of_video(utc=utc)).local == expected


def test_pictures_dates_come_before_videos() -> None:
    raw = RawDates(
        xmp=["2001-01-01T00:00:00"],
        apple=RawDate(text="2002-01-01T00:00:00"),
        utc=RawDate(text="2003-01-01T00:00:00Z"),
    )
    assert found(raw).source is CaptureSource.XMP


@pytest.mark.parametrize(
    "apple",
    ["1904-01-01T01:00:00+0100", "1970-01-01T01:00:00+0100", "1969-12-31T16:00:00-0800"],
)
def test_a_zero_in_any_zone_is_no_date(apple: str) -> None:
    assert found(of_video(apple)) == ESTIMATED


def test_an_instant_beside_the_zero_is_a_date() -> None:
    assert found(of_video("1969-12-31T16:00:01-0800")).local == local(1969, 12, 31, 16, 0, 1)
    assert found(original("1969:12:31 16:00:00")).local == local(1969, 12, 31, 16)
