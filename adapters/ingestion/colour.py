"""Colours: whatever a picture is stored in becomes opaque 8-bit sRGB."""

import pyvips

from adapters.ingestion.icc_profile import is_srgb
from application.ports.media_developer import DamagedMedium

PROFILE = "icc-profile-data"
DISPLAYED = frozenset({"uchar", "ushort"})
MEASURED = frozenset({"scrgb", "lab", "labs", "xyz"})
"""Colours whose numbers have a meaning of their own."""
WHITE = 255
RGB_BANDS = 3


def refuse_unmeasured(image: pyvips.Image) -> None:
    """Raise DamagedMedium for pixels that are numbers of which nothing says what is white."""
    if image.format not in DISPLAYED and image.interpretation not in MEASURED:
        raise DamagedMedium("the picture has numbers for pixels that are no colours")


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
    return not is_srgb(image.get(PROFILE))
