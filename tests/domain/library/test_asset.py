"""What is known of a picture: each field by its own rule."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from domain.library.asset import metadata_of
from domain.library.capture_date import Calendar, CaptureSource, RawDate, RawDates
from domain.library.location import Location, RawLocation
from domain.library.orientation import UPRIGHT, Orientation
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
    assert found.orientation == Orientation(90, is_mirrored=False)
    assert (found.make, found.model, found.lens) == ("Maker", "Model", "Lens")


def test_nothing_known_is_nothing_but_the_file_s_time() -> None:
    found = metadata_of(RawMetadata(), 10**18, CALENDAR)
    assert found.captured is not None
    assert found.captured.local == datetime(2001, 9, 9, 1, 46, 40)  # noqa: DTZ001
    assert (found.location, found.orientation, found.make) == (None, UPRIGHT, None)
    assert (found.model, found.lens) == (None, None)
    assert metadata_of(RawMetadata(), 0, CALENDAR).captured is None
