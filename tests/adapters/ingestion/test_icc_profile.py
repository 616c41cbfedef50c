"""What a colour profile does, read from its tags; by ICC.1:2022 and IEC 61966-2-1."""

import struct

import pytest

from adapters.ingestion.icc_profile import is_srgb, light_of_half

GAMMA_2_2 = b"curv" + bytes(4) + b"\x00\x00\x00\x01" + b"\x02\x33"
"""One number of 8.8 bits: 563/256 is 2.199."""


def xyz(*numbers: float) -> bytes:
    return b"XYZ " + bytes(4) + struct.pack(">3i", *(round(each * 65_536) for each in numbers))


# As the profiles that cameras write have them, adapted to D50.
SRGB_PRIMARIES = {
    b"rXYZ": xyz(0.43607, 0.22249, 0.01392),
    b"gXYZ": xyz(0.38515, 0.71687, 0.09708),
    b"bXYZ": xyz(0.14307, 0.06061, 0.71410),
}
P3_PRIMARIES = {
    b"rXYZ": xyz(0.51512, 0.24120, -0.00105),
    b"gXYZ": xyz(0.29198, 0.69225, 0.04189),
    b"bXYZ": xyz(0.15710, 0.06657, 0.78407),
}


def profile(
    tags: dict[bytes, bytes], space: bytes = b"RGB ", *, count: int | None = None, last: bytes = b""
) -> bytes:
    """A header of 128 bytes, a table of tags, and what they hold."""
    at = 128 + 4 + 12 * len(tags)
    table, values = b"", b""
    for name, value in tags.items():
        table += name + struct.pack(">II", at + len(values), len(value))
        values += value
    header = (bytes(16) + space).ljust(128, b"\x00")
    return header + struct.pack(">I", len(tags) if count is None else count) + table + values + last


def rgb(curve: bytes, primaries: dict[bytes, bytes] = SRGB_PRIMARIES) -> bytes:
    return profile(primaries | dict.fromkeys((b"rTRC", b"gTRC", b"bTRC"), curve))


def curve_of(*points: int) -> bytes:
    return b"curv" + bytes(4) + struct.pack(f">I{len(points)}H", len(points), *points)


def formula(kind: int, *numbers: float) -> bytes:
    parts = (round(each * 65_536) for each in numbers)
    return b"para" + bytes(4) + struct.pack(f">HH{len(numbers)}i", kind, 0, *parts)


# A half in sRGB is 0.2140 of all light: 14,027 of 65,535.
SRGB_CURVES = {
    "gamma 2.2": GAMMA_2_2,
    "a table with a middle": curve_of(0, 14_027, 65_535),
    "the formula of sRGB": formula(3, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045),
    "a plain gamma by formula": formula(0, 2.2),
}
OTHER_CURVES = {
    "none": curve_of(),
    "linear": curve_of(256),
    "gamma 1.8": curve_of(461),
    "gamma 2.4": curve_of(614),
    "a table that is lighter": curve_of(0, 14_400, 65_535),
    "a table that is darker": curve_of(0, 13_650, 65_535),
    "a plain gamma": formula(0, 1.8),
    "a formula without its summand": formula(3, 2.4, 1 / 1.055, 0, 1 / 12.92, 0.04045),
    "a formula of no known type": formula(5, 2.2, 1, 0, 0, 0, 0, 0),
    "half a formula": formula(3, 2.4, 1 / 1.055, 0.055 / 1.055),
    "half a table": curve_of(0, 14_027, 65_535)[:14],
    "no formula": formula(0, 2.2)[:8],
    "a power that is too high": formula(1, 30_000, 30_000, 0),
    "a root of less than nothing": formula(1, 0.5, 1, -9),
    "nothing over nothing": formula(1, -1, 0, 0),
}


@pytest.mark.parametrize("curve", SRGB_CURVES.values(), ids=SRGB_CURVES)
def test_a_curve_that_makes_of_a_half_what_srgb_makes_is_its_own(curve: bytes) -> None:
    assert is_srgb(rgb(curve))


@pytest.mark.parametrize("curve", OTHER_CURVES.values(), ids=OTHER_CURVES)
def test_another_curve_is_not_srgb_s(curve: bytes) -> None:
    assert not is_srgb(rgb(curve))


@pytest.mark.parametrize(
    ("curve", "light"),
    [
        (curve_of(), 0.5),
        (curve_of(256), 0.5),
        (curve_of(512), 0.25),
        (curve_of(0x8000), 2.0**-128),
        # Between the points that are next to the middle, as a share of the largest.
        (curve_of(0, 65_535, 13_107), 1),
        (curve_of(0, 13_107, 65_535), 0.2),
        (curve_of(7, 13_107, 26_214, 9), 0.3),
        (curve_of(13_107, 26_214), 0.3),
        (formula(0, 2), 0.25),
        (formula(0, 1), 0.5),
        # (a x + b) ^ g, and what is added to it: c of type 2, e of type 4.
        (formula(1, 2, 0.5, 0.25), 0.25),
        (formula(2, 2, 0.5, 0.25, 0.125), 0.375),
        (formula(3, 2, 0.5, 0.25, 9, 9), 0.25),
        (formula(4, 2, 0.5, 0.25, 9, 9, 0.125, 9), 0.375),
    ],
)
def test_what_a_curve_makes_of_a_half(curve: bytes, light: float) -> None:
    assert light_of_half(curve) == pytest.approx(light, rel=1e-6)


@pytest.mark.parametrize("name", [b"rTRC", b"gTRC", b"bTRC"])
def test_all_three_curves_count(name: bytes) -> None:
    curves = dict.fromkeys((b"rTRC", b"gTRC", b"bTRC"), GAMMA_2_2)
    assert not is_srgb(profile(SRGB_PRIMARIES | curves | {name: curve_of(256)}))
    del curves[name]
    assert not is_srgb(profile(SRGB_PRIMARIES | curves))


@pytest.mark.parametrize("name", list(SRGB_PRIMARIES))
def test_all_three_primaries_count(name: bytes) -> None:
    assert not is_srgb(rgb(GAMMA_2_2, SRGB_PRIMARIES | {name: P3_PRIMARIES[name]}))
    assert not is_srgb(rgb(GAMMA_2_2, SRGB_PRIMARIES | {name: SRGB_PRIMARIES[name][:19]}))
    without = {each: value for each, value in SRGB_PRIMARIES.items() if each != name}
    assert not is_srgb(rgb(GAMMA_2_2, without))


@pytest.mark.parametrize("which", [0, 1, 2])
@pytest.mark.parametrize("by", [-0.006, 0.006])
def test_each_of_a_primary_s_numbers_counts(which: int, by: float) -> None:
    numbers = [0.3851, 0.7169, 0.0971]
    numbers[which] += by
    assert not is_srgb(rgb(GAMMA_2_2, SRGB_PRIMARIES | {b"gXYZ": xyz(*numbers)}))
    numbers[which] -= by / 3
    assert is_srgb(rgb(GAMMA_2_2, SRGB_PRIMARIES | {b"gXYZ": xyz(*numbers)}))


def test_grey_has_one_curve_and_no_primaries() -> None:
    assert is_srgb(profile({b"kTRC": GAMMA_2_2}, b"GRAY"))
    assert not is_srgb(profile({b"kTRC": curve_of(256)}, b"GRAY"))
    assert not is_srgb(profile({b"kTRC": GAMMA_2_2}))
    assert not is_srgb(profile({b"kTRC": GAMMA_2_2}, b"CMYK"))


def test_a_tag_counts_among_the_first_hundred() -> None:
    tags = SRGB_PRIMARIES | {b"rTRC": GAMMA_2_2, b"gTRC": GAMMA_2_2}
    for others, is_known in ((94, True), (95, False)):
        padding = {b"%04d" % number: b"" for number in range(others)}
        assert is_srgb(profile(tags | padding | {b"bTRC": GAMMA_2_2})) is is_known


def test_a_count_that_claims_more_tags_than_there_are_is_no_profile() -> None:
    assert not is_srgb(profile({b"kTRC": GAMMA_2_2}, b"GRAY", count=9))
    assert is_srgb(profile({b"kTRC": GAMMA_2_2}, b"GRAY", count=1, last=b"more"))
    assert not is_srgb(profile({b"kTRC": GAMMA_2_2}, b"GRAY", count=0))


@pytest.mark.parametrize("size", [0, 16, 128, 131, 135])
def test_a_profile_that_is_cut_off_is_none(size: int) -> None:
    assert not is_srgb(profile({b"kTRC": GAMMA_2_2}, b"GRAY")[:size])
