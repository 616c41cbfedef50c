"""Colours: whatever a picture is stored in becomes opaque 8-bit sRGB."""

import pyvips

PROFILE = "icc-profile-data"
WHITE = 255
RGB_BANDS = 3
SRGB_NAMES = (b"sRGB", "sRGB".encode("utf-16-be"))


def to_srgb(image: pyvips.Image) -> pyvips.Image:
    """Converted by its profile where it has one that is not sRGB; flattened on white."""
    eight_bit = _converted(image).colourspace("srgb").cast("uchar")
    opaque = eight_bit.flatten(background=WHITE) if eight_bit.hasalpha() else eight_bit
    return opaque.extract_band(0, n=RGB_BANDS) if opaque.bands > RGB_BANDS else opaque


def _converted(image: pyvips.Image) -> pyvips.Image:
    if not _has_other_profile(image):
        return image
    try:
        return image.icc_transform("srgb", embedded=True)
    except pyvips.Error:
        # A profile that is broken, or of another kind of picture, spoils no picture.
        return image


def _has_other_profile(image: pyvips.Image) -> bool:
    if image.get_typeof(PROFILE) == 0:
        return False
    profile = image.get(PROFILE)
    return not any(name in profile for name in SRGB_NAMES)
