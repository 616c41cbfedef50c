"""Colour profiles made for a test: sRGB, and the same with other curves."""

import struct

from PIL import ImageCms

SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
TAGS_AT = 132
GAMMA_1 = b"curv" + bytes(4) + struct.pack(">IH", 1, 256)


def with_curves(curve: bytes) -> bytes:
    """The same profile, under the same name, with another curve at its end."""
    profile = bytearray(SRGB + curve + bytes(-len(curve) % 4))
    (count,) = struct.unpack_from(">I", profile, 128)
    for at in range(TAGS_AT, TAGS_AT + 12 * count, 12):
        if bytes(profile[at : at + 4]) in {b"rTRC", b"gTRC", b"bTRC"}:
            profile[at + 4 : at + 12] = struct.pack(">II", len(SRGB), len(curve))
    profile[:4] = len(profile).to_bytes(4, "big")
    return bytes(profile)
