"""From decoded pixels to the two proxies and the blurhash."""

from typing import Final

import pyvips
from blurhash_rs import blurhash_encode
from PIL import Image

from adapters.ingestion.colour import refuse_unmeasured, to_srgb
from domain.library.orientation import Orientation
from domain.library.proxy import Proxy, ProxyKind, Rendition, jpeg_quality, longest_side

BLURHASH_COMPONENTS: Final = (4, 3)


def small_preview(image: pyvips.Image) -> pyvips.Image:
    """As large as a preview is, in sRGB, in memory: the one decoding happens here.

    Raises DamagedMedium for what has no colours.
    """
    refuse_unmeasured(image)
    return to_srgb(_scaled(image, ProxyKind.PREVIEW)).copy_memory()


def rendition_of(
    preview: pyvips.Image, stored: tuple[int, int], orientation: Orientation
) -> Rendition:
    """The thumbnail comes from the preview and the blurhash from the thumbnail.

    `stored` is the original's width and height before it is turned.
    """
    upright = _upright(preview, orientation)
    thumbnail = _scaled(upright, ProxyKind.THUMBNAIL).copy_memory()
    width, height = orientation.displayed(*stored)
    return Rendition(
        width=width,
        height=height,
        orientation=orientation,
        proxies=(_encoded(thumbnail, ProxyKind.THUMBNAIL), _encoded(upright, ProxyKind.PREVIEW)),
        blurhash=_blurhash(thumbnail),
    )


def _upright(image: pyvips.Image, orientation: Orientation) -> pyvips.Image:
    mirrored = image.fliphor() if orientation.is_mirrored else image
    if not orientation.degrees:
        return mirrored
    return mirrored.rot(f"d{orientation.degrees}")


def _scaled(image: pyvips.Image, kind: ProxyKind) -> pyvips.Image:
    side = longest_side(kind)
    return image.thumbnail_image(side, height=side, size="down", no_rotate=True)


def _encoded(image: pyvips.Image, kind: ProxyKind) -> Proxy:
    # keep="none": an EXIF block would say where the picture was taken.
    jpeg = image.jpegsave_buffer(Q=jpeg_quality(kind), keep="none", optimize_coding=True)
    return Proxy(kind=kind, width=image.width, height=image.height, jpeg=jpeg)


def _blurhash(thumbnail: pyvips.Image) -> str:
    size = thumbnail.width, thumbnail.height
    pixels = Image.frombytes("RGB", size, thumbnail.write_to_memory())
    return blurhash_encode(pixels, *BLURHASH_COMPONENTS)
