"""libvips decodes once: the preview comes from the original, all else from the preview."""

from dataclasses import dataclass
from typing import BinaryIO

import pyvips
from blurhash_rs import blurhash_encode
from PIL import Image
from typing_extensions import override

from adapters.ingestion.colour import to_srgb
from application.ports.image_developer import DamagedImage, ImageDeveloper, TooManyPixels
from domain.library.media_type import MediaFormat
from domain.library.orientation import Orientation
from domain.library.proxy import Proxy, ProxyKind, Rendition, jpeg_quality, longest_side

BLURHASH_COMPONENTS = (4, 3)
PIXELS_PER_MEGAPIXEL = 1_000_000
JPEG_SHRINKS = (1, 2, 4, 8)


@dataclass(frozen=True, slots=True, kw_only=True)
class VipsImageDeveloper(ImageDeveloper):
    """Gets bytes, never a name: names that are not UTF-8 break libvips."""

    max_megapixels: float

    @override
    def develop(
        self, stream: BinaryIO, media_format: MediaFormat, orientation: Orientation
    ) -> Rendition:
        stream.seek(0)
        encoded = stream.read()
        try:
            return self._develop(encoded, media_format, orientation)
        except pyvips.Error as error:
            # Its text is not passed on: threads share libvips' buffer of errors.
            raise DamagedImage("the picture is damaged or cut off") from error

    def _develop(
        self, encoded: bytes, media_format: MediaFormat, orientation: Orientation
    ) -> Rendition:
        header = pyvips.Image.new_from_buffer(encoded, "", access="sequential")
        stored = header.width, header.get_page_height()
        if stored[0] * stored[1] > self.max_megapixels * PIXELS_PER_MEGAPIXEL:
            raise TooManyPixels(f"more than {self.max_megapixels:g} megapixels")
        width, height = orientation.displayed(*stored)
        preview = _upright(_preview(encoded, _load_options(media_format, max(stored))), orientation)
        thumbnail = _scaled(preview, ProxyKind.THUMBNAIL).copy_memory()
        return Rendition(
            width=width,
            height=height,
            proxies=(
                _encoded(thumbnail, ProxyKind.THUMBNAIL),
                _encoded(preview, ProxyKind.PREVIEW),
            ),
            blurhash=_blurhash(thumbnail),
        )


def _load_options(media_format: MediaFormat, longest: int) -> str:
    """A JPEG decoder can leave out what scaling down would throw away."""
    if media_format is not MediaFormat.JPEG:
        return ""
    side = longest_side(ProxyKind.PREVIEW)
    return f"shrink={max(each for each in JPEG_SHRINKS if each == 1 or longest >= each * side)}"


def _preview(encoded: bytes, options: str) -> pyvips.Image:
    # Not vips_thumbnail on the bytes: it lets truncated pictures pass, whatever fail_on says.
    image = pyvips.Image.new_from_buffer(encoded, options, access="sequential", fail_on="truncated")
    # The one decoding happens here; whatever follows works on pixels in memory.
    return to_srgb(_scaled(image, ProxyKind.PREVIEW)).copy_memory()


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
