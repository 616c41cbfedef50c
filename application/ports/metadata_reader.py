"""Reads what a camera wrote into a picture or a video."""

from abc import abstractmethod
from typing import BinaryIO, Protocol

from domain.library.media_type import MediaFormat
from domain.library.raw_metadata import RawMetadata


class MetadataReader(Protocol):
    """EXIF, XMP and the headers of videos, as they stand in the file."""

    @abstractmethod
    def read(self, stream: BinaryIO, media_format: MediaFormat) -> RawMetadata:
        """The fields that could be read. A damaged block is no error: its fields are left out.

        OriginalUnreadable where reading takes too long; errors of reading the stream pass through.
        """
