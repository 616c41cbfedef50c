"""Pictures: decoded once, by libvips where it can read strip by strip."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO, Final

import pyvips

from adapters.ingestion.decoding_budget import DecodingBudget
from adapters.ingestion.decoding_costs import bytes_in_vips, whole_bytes
from adapters.ingestion.encoded_file import bytes_of, room_for
from adapters.ingestion.integrity import refuse_gaps
from adapters.ingestion.rendition import rendition_of, small_preview
from adapters.ingestion.whole_pictures import WholePicture, by_pillow, claimed_size, heic
from application.ports.media_developer import DamagedMedium
from domain.library.media_type import MediaFormat
from domain.library.orientation import Orientation
from domain.library.proxy import ProxyKind, Rendition, longest_side

Size = tuple[int, int]
JPEG_SHRINKS: Final = (1, 2, 4, 8)
OPENERS: Final[dict[MediaFormat, Callable[[bytes], WholePicture]]] = {
    MediaFormat.HEIC: heic,
    MediaFormat.AVIF: by_pillow,
    MediaFormat.BMP: by_pillow,
}
"""What libvips cannot decode, or takes more memory for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureDeveloper:
    """Decoders get bytes, never a name: names that are not UTF-8 break libvips."""

    budget: DecodingBudget

    def develop(
        self, stream: BinaryIO, media_format: MediaFormat, orientation: Orientation
    ) -> Rendition:
        """As the port says."""
        with room_for(stream, self.budget):
            try:
                preview, stored = self._preview(bytes_of(stream), media_format)
            except pyvips.Error as error:
                # Its text is not passed on: threads share libvips' buffer of errors.
                raise DamagedMedium("the picture is damaged or cut off") from error
        # By now nothing is in memory but the preview.
        return rendition_of(preview, stored, orientation)

    def _preview(self, encoded: bytes, media_format: MediaFormat) -> tuple[pyvips.Image, Size]:
        opener = OPENERS.get(media_format)
        if opener is None:
            refuse_gaps(encoded, media_format)
            return self._by_vips(encoded, media_format)
        claimed = claimed_size(encoded)
        self.budget.refuse(*claimed)
        self.budget.refuse_whole(whole_bytes(media_format, claimed, has_alpha=False))
        refuse_gaps(encoded, media_format)
        picture = opener(encoded)
        self.budget.refuse(*picture.size)
        cost = whole_bytes(media_format, picture.size, has_alpha=picture.has_alpha)
        with self.budget.whole(cost + len(encoded)):
            return small_preview(picture.decode()), picture.size

    def _by_vips(self, encoded: bytes, media_format: MediaFormat) -> tuple[pyvips.Image, Size]:
        header = _opened(encoded)
        stored = header.width, header.get_page_height()
        self.budget.refuse(*stored)
        cost = bytes_in_vips(header, media_format)
        options = _load_options(media_format, max(stored))
        if not cost:
            return small_preview(_opened(encoded, options)), stored
        with self.budget.whole(cost + len(encoded)):
            return small_preview(_opened(encoded, options)), stored


def _load_options(media_format: MediaFormat, longest: int) -> str:
    """A JPEG decoder can leave out what scaling down would throw away."""
    if media_format is not MediaFormat.JPEG:
        return ""
    side = longest_side(ProxyKind.PREVIEW)
    return f"shrink={max(each for each in JPEG_SHRINKS if each == 1 or longest >= each * side)}"


def _opened(encoded: bytes, options: str = "") -> pyvips.Image:
    # Not from a buffer: libvips would copy all of it.
    # Not vips_thumbnail on the bytes: it lets truncated pictures pass, whatever fail_on says.
    source = pyvips.Source.new_from_memory(encoded)
    return pyvips.Image.new_from_source(source, options, access="sequential", fail_on="truncated")
