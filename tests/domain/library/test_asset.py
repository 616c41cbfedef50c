"""What is known of a picture: each field by its own rule."""

import math
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from domain.library.asset import metadata_of
from domain.library.capture_date import Calendar, CaptureSource, RawDate, RawDates
from domain.library.location import Location, RawLocation
from domain.library.raw_metadata import RawMetadata

CALENDAR = Calendar(zone=ZoneInfo("UTC"), now=datetime(2024, 1, 1, tzinfo=UTC))


def test_every_field_is_made_sense_of() -> None:
    raw = RawMetadata(
        dates=RawDates(original=RawDate(text="2021:03:04 05:06:07")),
        location=RawLocation(
            latitude=(1.0,), latitude_ref="N", longitude=(2.0,), longitude_ref="E"
        ),
        orientation=6,
        make=b"Maker\0",
        model=b"Model\0",
        lens=b"Lens\0",
    )
    found = metadata_of(raw, 0, CALENDAR)
    assert found.captured is not None
    assert found.captured.source is CaptureSource.ORIGINAL
    assert found.location == Location(1.0, 2.0)
    assert (found.make, found.model, found.lens) == ("Maker", "Model", "Lens")


def test_nothing_known_is_nothing_but_the_file_s_time() -> None:
    found = metadata_of(RawMetadata(), 10**18, CALENDAR)
    assert found.captured is not None
    assert found.captured.local == datetime(2001, 9, 9, 1, 46, 40)  # noqa: DTZ001
    assert (found.location, found.make, found.model, found.lens) == (None, None, None, None)
    assert (found.content_identifier, found.duration_seconds) == (None, None)
    assert metadata_of(RawMetadata(), 0, CALENDAR).captured is None


IDENTIFIER = "0A1B2C3D-0000-1111-2222-333344445555"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (IDENTIFIER, IDENTIFIER),
        (IDENTIFIER.lower(), IDENTIFIER),
        (f" {IDENTIFIER}\x00junk", IDENTIFIER),
        (None, None),
        ("", None),
        ("\x00" + IDENTIFIER, None),
        ("Not a UUID", "Not a UUID"),
        (IDENTIFIER.lower() + "g", IDENTIFIER.lower() + "g"),
        ("line\nbreak", None),
        ("x", "x"),
        ("x" * 100, "x" * 100),
        ("x" * 101, None),
    ],
)
def test_an_identifier_is_text_and_a_uuid_without_regard_to_case(
    text: str | None, expected: str | None
) -> None:
    raw = RawMetadata(content_identifier=text)
    assert metadata_of(raw, 0, CALENDAR).content_identifier == expected


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(0.0, 0.0), (12.5, 12.5), (-1.0, None), (math.nan, None), (math.inf, None)],
)
def test_a_duration_is_a_number_of_seconds(seconds: float, expected: float | None) -> None:
    raw = RawMetadata(duration_seconds=seconds)
    assert metadata_of(raw, 0, CALENDAR).duration_seconds == expected
