"""Decodes a picture, or a video's poster frame, once and makes its proxies."""

from abc import abstractmethod
from typing import BinaryIO, Protocol

from domain.errors import DomainError
from domain.library.media_type import MediaFormat
from domain.library.orientation import Orientation
from domain.library.proxy import Rendition


class TooManyPixels(DomainError):
    """The picture is larger than the limit; it was not decoded."""


class TooLarge(DomainError):
    """The file is larger than a decoder gets; it was not decoded."""


class NoVideoStream(DomainError):
    """The file holds sound only."""


class DamagedMedium(DomainError):
    """The file cannot be decoded, or not to its end."""


class MediaDeveloper(Protocol):
    """From an original to an upright preview and thumbnail in sRGB, without metadata."""

    @abstractmethod
    def develop(
        self, stream: BinaryIO, media_format: MediaFormat, orientation: Orientation
    ) -> Rendition:
        """One rendition with a proxy of each kind: of an animation's first frame, of a video's
        poster.

        `orientation` is what the metadata say; a video is turned as its own header says. Raises
        TooManyPixels, TooLarge or NoVideoStream before decoding, and DamagedMedium for what is
        broken or cut off. OriginalUnreadable where reading takes too long; errors of reading the
        stream pass through.
        """
