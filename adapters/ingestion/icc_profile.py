"""Knows sRGB by what a profile does: any profile may bear the name."""

import struct
from collections.abc import Mapping
from math import isclose
from typing import Final

TAGS_AT: Final = 128
MOST_TAGS: Final = 100
PRIMARIES: Final = {
    b"rXYZ": (0.4361, 0.2225, 0.0139),
    b"gXYZ": (0.3851, 0.7169, 0.0971),
    b"bXYZ": (0.1431, 0.0606, 0.7141),
}
"""Of sRGB, as a profile has them."""
HALF: Final = 0.214
"""How much light sRGB gives for half of the numbers, of all light."""
NEARLY: Final = 0.005
CURVES: Final = {b"RGB ": (b"rTRC", b"gTRC", b"bTRC"), b"GRAY": (b"kTRC",)}
FIXED: Final = 65_536
LONG, SHORT = struct.Struct(">I"), struct.Struct(">H")
TAG, XYZ = struct.Struct(">4sII"), struct.Struct(">3i")
PARAMETERS: Final = {0: 1, 1: 3, 2: 4, 3: 5, 4: 7}
"""How many numbers each type of formula has, of g, a, b, c, d, e and f."""
OFFSET_AT: Final = {2: 3, 4: 5}
"""Which of them is added to bright tones: c, e."""


def is_srgb(profile: bytes) -> bool:
    """Whether converting by the profile would change nothing that can be seen."""
    try:
        tags, space = _tags(profile), profile[16:20]
        has_curves = all(_is_nearly(light_of_half(tags[name]), HALF) for name in CURVES[space])
        return has_curves and (space == b"GRAY" or _has_primaries(tags))
    except (KeyError, struct.error, OverflowError, ZeroDivisionError, TypeError):
        return False


def _is_nearly(found: float, meant: float) -> bool:
    return isclose(found, meant, abs_tol=NEARLY)


def _tags(profile: bytes) -> Mapping[bytes, bytes]:
    (count,) = LONG.unpack_from(profile, TAGS_AT)
    table = [
        TAG.unpack_from(profile, TAGS_AT + 4 + 12 * number)
        for number in range(min(count, MOST_TAGS))
    ]
    return {name: profile[at : at + size] for name, at, size in table}


def _has_primaries(tags: Mapping[bytes, bytes]) -> bool:
    found = {name: [each / FIXED for each in XYZ.unpack_from(tags[name], 8)] for name in PRIMARIES}
    return all(all(map(_is_nearly, found[name], meant)) for name, meant in PRIMARIES.items())


def light_of_half(curve: bytes) -> float:
    """What a curve makes of a half; raises what `is_srgb` catches where it is no curve."""
    if curve[:4] == b"para":
        return _by_formula(curve)
    (count,) = LONG.unpack_from(curve, 8)
    if count == 0:
        return 0.5
    if count == 1:
        (gamma,) = SHORT.unpack_from(curve, 12)
        return float(0.5 ** (gamma / 256))
    before, after = ((count - 1) // 2, count // 2)
    points = [SHORT.unpack_from(curve, 12 + 2 * each)[0] for each in (before, after)]
    return float(sum(points)) / 2 / 65_535


def _by_formula(curve: bytes) -> float:
    """The part of the formula that a half belongs to; its other one is for dark tones."""
    (kind,) = SHORT.unpack_from(curve, 8)
    numbers = [each / FIXED for each in struct.unpack_from(f">{PARAMETERS[kind]}i", curve, 12)]
    factor, summand = numbers[1:3] or (1, 0)
    offset = numbers[OFFSET_AT[kind]] if kind in OFFSET_AT else 0
    return float((factor / 2 + summand) ** numbers[0] + offset)
