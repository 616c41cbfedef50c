"""Pictures: decoded once, by libvips where it can read strip by strip."""

from collections.abc import Callable
from dataclasses import dataclass
from os import SEEK_END
from typing import BinaryIO, Final

import pyvips

from adapters.ingestion.decoding_budget import DecodingBudget
from adapters.ingestion.rendition import rendition_of, small_preview
from adapters.ingestion.tiff_integrity import refuse_incomplete_tiff
from adapters.ingestion.whole_pictures import WholePicture, by_pillow, claimed_size, heic
from application.ports.media_developer import DamagedMedium, TooLarge
from domain.library.media_type import MediaFormat
from domain.library.orientation import Orientation
from domain.library.proxy import ProxyKind, Rendition, longest_side

LARGEST_FILE: Final = 512 * 1024 * 1024
JPEG_SHRINKS: Final = (1, 2, 4, 8)
OPENERS: Final[dict[MediaFormat, Callable[[bytes], WholePicture]]] = {
    MediaFormat.HEIC: heic,
    MediaFormat.AVIF: by_pillow,
    MediaFormat.BMP: by_pillow,
}
"""What libvips cannot decode, or this build of it cannot."""
WHOLE_IN_VIPS: Final = frozenset({MediaFormat.WEBP, MediaFormat.GIF})
INTERLACED: Final = "interlaced"


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureDeveloper:
    """Decoders get bytes, never a name: names that are not UTF-8 break libvips."""

    budget: DecodingBudget

    def develop(
        self, stream: BinaryIO, media_format: MediaFormat, orientation: Orientation
    ) -> Rendition:
        """As the port says."""
        with self.budget.encoded(_size_of(stream)):
            encoded = _bytes_of(stream)
            try:
                return self._decoded(encoded, media_format, orientation)
            except pyvips.Error as error:
                # Its text is not passed on: threads share libvips' buffer of errors.
                raise DamagedMedium("the picture is damaged or cut off") from error

    def _decoded(
        self, encoded: bytes, media_format: MediaFormat, orientation: Orientation
    ) -> Rendition:
        opener = OPENERS.get(media_format)
        if opener is None:
            return self._by_vips(encoded, media_format, orientation)
        self.budget.refuse(*claimed_size(encoded), is_whole=True)
        return self._whole(opener(encoded), orientation)

    def _whole(self, picture: WholePicture, orientation: Orientation) -> Rendition:
        with self.budget.whole(*picture.size):
            preview = small_preview(picture.decode())
        return rendition_of(preview, picture.size, orientation)

    def _by_vips(
        self, encoded: bytes, media_format: MediaFormat, orientation: Orientation
    ) -> Rendition:
        if media_format is MediaFormat.TIFF:
            refuse_incomplete_tiff(encoded)
        header = pyvips.Image.new_from_buffer(encoded, "", access="sequential")
        stored = header.width, header.get_page_height()
        self.budget.refuse(*stored)
        options = _load_options(media_format, max(stored))
        if media_format in WHOLE_IN_VIPS or header.get_typeof(INTERLACED):
            with self.budget.whole(*stored):
                preview = _preview(encoded, options)
        else:
            preview = _preview(encoded, options)
        return rendition_of(preview, stored, orientation)


def _size_of(stream: BinaryIO) -> int:
    size = stream.seek(0, SEEK_END)
    if size > LARGEST_FILE:
        raise TooLarge("the picture is larger than 512 MiB")
    return size


def _bytes_of(stream: BinaryIO) -> bytes:
    stream.seek(0)
    return stream.read(LARGEST_FILE)


def _load_options(media_format: MediaFormat, longest: int) -> str:
    """A JPEG decoder can leave out what scaling down would throw away."""
    if media_format is not MediaFormat.JPEG:
        return ""
    side = longest_side(ProxyKind.PREVIEW)
    return f"shrink={max(each for each in JPEG_SHRINKS if each == 1 or longest >= each * side)}"


def _preview(encoded: bytes, options: str) -> pyvips.Image:
    # Not vips_thumbnail on the bytes: it lets truncated pictures pass, whatever fail_on says.
    return small_preview(
        pyvips.Image.new_from_buffer(encoded, options, access="sequential", fail_on="truncated")
    )
