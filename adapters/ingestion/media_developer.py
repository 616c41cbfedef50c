"""Chooses who decodes: the content's format says so."""

from dataclasses import dataclass
from typing import BinaryIO

from typing_extensions import override

from adapters.ingestion.picture_developer import PictureDeveloper
from adapters.ingestion.video_developer import VideoDeveloper
from application.ports.media_developer import MediaDeveloper
from domain.library.media_type import MediaFormat, MediaType, type_of
from domain.library.orientation import Orientation
from domain.library.proxy import Rendition


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodingMediaDeveloper(MediaDeveloper):
    """libvips, libheif and Pillow for pictures, FFmpeg for videos."""

    pictures: PictureDeveloper
    videos: VideoDeveloper

    @override
    def develop(
        self, stream: BinaryIO, media_format: MediaFormat, orientation: Orientation
    ) -> Rendition:
        if type_of(media_format) is MediaType.VIDEO:
            return self.videos.develop(stream, media_format)
        return self.pictures.develop(stream, media_format, orientation)
