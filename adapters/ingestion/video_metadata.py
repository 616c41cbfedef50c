"""What the header of a video says, under the names that FFmpeg gives its fields."""

from collections.abc import Mapping
from typing import BinaryIO

import av

from adapters.ingestion.video_file import BoundedStream, TakesTooLong, opened_video
from application.ports.originals import OriginalUnreadable
from domain.library.capture_date import RawDate, RawDates
from domain.library.location import RawLocation, raw_location_of_iso6709
from domain.library.media_type import MediaFormat
from domain.library.raw_metadata import RawMetadata

APPLE = "com.apple.quicktime"
ANDROID = "com.android"
MAKES = (f"{APPLE}.make", f"{ANDROID}.manufacturer", "make")
MODELS = (f"{APPLE}.model", f"{ANDROID}.model", "model")
PLACES = (f"{APPLE}.location.iso6709", "location")


def video_metadata(stream: BinaryIO, media_format: MediaFormat) -> RawMetadata:
    """Nothing where the header cannot be read: decoding says what is wrong."""
    try:
        with opened_video(BoundedStream(stream), media_format) as container:
            tags = {name.lower(): value for name, value in container.metadata.items()}
            duration = container.duration
    except TakesTooLong as error:
        raise OriginalUnreadable(str(error)) from error
    except (av.FFmpegError, ValueError):
        return RawMetadata()
    return RawMetadata(
        dates=_dates(tags),
        location=_location(tags),
        make=_first(tags, MAKES),
        model=_first(tags, MODELS),
        content_identifier=tags.get(f"{APPLE}.content.identifier"),
        duration_seconds=None if duration is None else duration / av.time_base,
    )


def _dates(tags: Mapping[str, str]) -> RawDates:
    created = RawDate(text=tags.get("creation_time"))
    apple = RawDate(text=tags.get(f"{APPLE}.creationdate"))
    if (created.text or "").endswith("Z"):
        return RawDates(apple=apple, utc=created)
    # An AVI has what its camera's clock showed.
    return RawDates(apple=apple, created=created)


def _location(tags: Mapping[str, str]) -> RawLocation:
    texts = [tags[name] for name in PLACES if name in tags]
    return raw_location_of_iso6709(texts[0]) if texts else RawLocation()


def _first(tags: Mapping[str, str], names: tuple[str, ...]) -> bytes | None:
    return next((tags[name].encode(errors="replace") for name in names if name in tags), None)
