"""Knows sRGB by what a profile does: any profile may bear the name."""

import struct
from collections.abc import Mapping
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


def is_srgb(profile: bytes) -> bool:
    """Whether converting by the profile would change nothing that can be seen."""
    try:
        tags, space = _tags(profile), profile[16:20]
        has_curves = all(abs(_half(tags[name]) - HALF) < NEARLY for name in CURVES[space])
        return has_curves and (space == b"GRAY" or _has_primaries(tags))
    except (KeyError, struct.error, OverflowError, ZeroDivisionError, TypeError):
        return False


def _tags(profile: bytes) -> Mapping[bytes, bytes]:
    (count,) = struct.unpack_from(">I", profile, TAGS_AT)
    table = [
        struct.unpack_from(">4sII", profile, TAGS_AT + 4 + 12 * number)
        for number in range(min(count, MOST_TAGS))
    ]
    return {name: profile[at : at + size] for name, at, size in table}


def _has_primaries(tags: Mapping[bytes, bytes]) -> bool:
    return all(
        abs(found / FIXED - meant) < NEARLY
        for name, primary in PRIMARIES.items()
        for found, meant in zip(struct.unpack_from(">3i", tags[name], 8), primary, strict=True)
    )


def _half(curve: bytes) -> float:
    """What the curve makes of a half."""
    if curve[:4] == b"para":
        return _half_by_formula(curve)
    (count,) = struct.unpack_from(">I", curve, 8)
    if count == 0:
        return 0.5
    if count == 1:
        (gamma,) = struct.unpack_from(">H", curve, 12)
        return float(0.5 ** (gamma / 256))
    before, after = ((count - 1) // 2, count // 2)
    points = [struct.unpack_from(">H", curve, 12 + 2 * each)[0] for each in (before, after)]
    return float(sum(points)) / 2 / 65_535


def _half_by_formula(curve: bytes) -> float:
    """The part of the formula that a half belongs to; its other one is for dark tones."""
    (kind,) = struct.unpack_from(">H", curve, 8)
    names = {0: "g", 1: "gab", 2: "gabc", 3: "gabcd", 4: "gabcdef"}[kind]
    numbers = struct.unpack_from(f">{len(names)}i", curve, 12)
    of = {"a": 1.0, "b": 0.0} | dict(
        zip(names, (number / FIXED for number in numbers), strict=True)
    )
    offset = of.get("c", 0.0) if kind == 2 else of.get("e", 0.0)  # noqa: PLR2004  # as ICC has it
    return float((of["a"] / 2 + of["b"]) ** of["g"] + offset)
