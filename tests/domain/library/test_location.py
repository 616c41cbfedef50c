"""GPS: exactly 0.0 in one of the two is a place, 0/0 is a phone without a fix."""

import math
from collections.abc import Sequence

import pytest

from domain.library.location import Location, RawLocation, location_of, raw_location_of_iso6709


def raw(
    latitude: Sequence[float] | None = (51.0, 30.0, 36.0),
    latitude_ref: str = "N",
    longitude: Sequence[float] | None = (7.0, 15.0, 18.0),
    longitude_ref: str = "E",
) -> RawLocation:
    return RawLocation(
        latitude=latitude,
        latitude_ref=latitude_ref,
        longitude=longitude,
        longitude_ref=longitude_ref,
    )


def test_degrees_minutes_and_seconds_become_degrees() -> None:
    place = location_of(raw())
    assert place is not None
    assert place.latitude == pytest.approx(51.51)
    assert place.longitude == pytest.approx(7.255)


def test_south_and_west_are_negative() -> None:
    assert location_of(raw((10.0,), "S", (20.0,), "W")) == Location(-10.0, -20.0)
    assert location_of(raw((10.0,), " s ", (20.0,), "west")) == Location(-10.0, -20.0)


def test_greenwich_and_the_equator_are_places_and_null_island_is_none() -> None:
    assert location_of(raw((51.47,), "N", (0.0,), "W")) == Location(51.47, 0.0)
    assert location_of(raw((0.0,), "S", (78.455,), "W")) == Location(0.0, -78.455)
    assert location_of(raw((0.0, 0.0, 0.0), "N", (0.0, 0.0, 0.0), "E")) is None


def test_zero_south_is_a_plain_zero() -> None:
    place = location_of(raw((0.0,), "S", (1.0,), "E"))
    assert place is not None
    assert math.copysign(1, place.latitude) == 1


def test_the_poles_and_the_date_line_are_the_limits() -> None:
    assert location_of(raw((90.0,), "N", (180.0,), "W")) == Location(90.0, -180.0)
    assert location_of(raw((90.0, 0.0, 1.0), "N", (1.0,), "E")) is None
    assert location_of(raw((1.0,), "N", (180.0, 0.0, 1.0), "E")) is None
    assert location_of(raw((91.0,))) is None
    assert location_of(raw((1.0, 60.0, 60.0), "N", (1.0,), "E")) is not None


@pytest.mark.parametrize(
    "latitude",
    [None, (), (1.0, 2.0, 3.0, 4.0), (math.nan,), (math.inf,), (-1.0,), (1.0, -1.0), (1.0, 61.0),
     (1.0, 1.0, 60.5), (100.0, 0.0, 0.0)],
)  # fmt: skip
def test_nonsense_is_no_place(latitude: Sequence[float] | None) -> None:
    assert location_of(raw(latitude)) is None
    assert location_of(raw(longitude=latitude)) is None or latitude == (100.0, 0.0, 0.0)


@pytest.mark.parametrize("ref", ["", "X", "E", "\x00"])
def test_without_its_hemisphere_it_is_no_place(ref: str) -> None:
    assert location_of(raw(latitude_ref=ref)) is None
    assert ref == "E" or location_of(raw(longitude_ref=ref)) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("+48.8584+002.2945+035.000/", Location(48.8584, 2.2945)),
        ("+51.4169-000.0806/", Location(51.4169, -0.0806)),
        ("-33.8568+151.2153", Location(-33.8568, 151.2153)),
        ("+48-002", Location(48.0, -2.0)),
        (" +48.5+002.5/ ", Location(48.5, 2.5)),
        ("+4830+00215/", Location(48.5, 2.25)),
        ("+4830.5-00215.25/", Location(48 + 30.5 / 60, -(2 + 15.25 / 60))),
        ("+483036+0021509.9/", Location(48.51, 2 + 15 / 60 + 9.9 / 3600)),
        ("+48.5+002.5CRSWGS_84/", Location(48.5, 2.5)),
        ("+48.5+002.5-12.5CRSWGS_84/", Location(48.5, 2.5)),
        ("+00.0000+000.0000/", None),
        ("+91.0000+000.0000/", None),
        ("+48.5+181.0/", None),
        ("+485+0025/", None),
        ("+48.5", None),
        ("48.5+002.5", None),
        ("+48.5 +002.5", None),
        ("+48.5+002.5 and more", None),
        ("+\u0664\u0668+002/", None),
        ("", None),
    ],
)
def test_videos_say_where_in_one_line(text: str, expected: Location | None) -> None:
    found = location_of(raw_location_of_iso6709(text))
    if expected is None:
        assert found is None
        return
    assert found is not None
    assert (found.latitude, found.longitude) == pytest.approx(
        (expected.latitude, expected.longitude), abs=1e-9
    )


def test_signs_are_hemispheres() -> None:
    north_east = raw_location_of_iso6709("+48.5+002.5/")
    assert (north_east.latitude_ref, north_east.longitude_ref) == ("N", "E")
    south_west = raw_location_of_iso6709("-48.5-002.5/")
    assert (south_west.latitude_ref, south_west.longitude_ref) == ("S", "W")
