"""Decodes a picture once and makes its proxies."""

from abc import abstractmethod
from typing import BinaryIO, Protocol

from domain.errors import DomainError
from domain.library.media_type import MediaFormat
from domain.library.orientation import Orientation
from domain.library.proxy import Rendition


class TooManyPixels(DomainError):
    """The picture is larger than the limit; it was not decoded."""


class DamagedImage(DomainError):
    """The picture cannot be decoded to its end."""


class ImageDeveloper(Protocol):
    """From an original to an upright preview and thumbnail in sRGB, without metadata."""

    @abstractmethod
    def develop(
        self, stream: BinaryIO, media_format: MediaFormat, orientation: Orientation
    ) -> Rendition:
        """One rendition with a proxy of each kind; of an animation, its first frame.

        Raises TooManyPixels before decoding, and DamagedImage for a broken or truncated picture.
        """
