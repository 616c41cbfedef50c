"""Videos: one frame stands for them."""

from dataclasses import dataclass
from fractions import Fraction
from typing import BinaryIO, Final

import av
import pyvips
from av.container import InputContainer
from av.video.frame import VideoFrame
from av.video.stream import VideoStream
from PIL import Image

from adapters.ingestion.decoding_budget import DecodingBudget
from adapters.ingestion.decoding_costs import frame_bytes
from adapters.ingestion.rendition import rendition_of, small_preview
from adapters.ingestion.video_file import BoundedStream, TakesTooLong, main_stream, opened_video
from adapters.ingestion.video_frames import STRICT, whole_frames
from application.ports.media_developer import DamagedMedium, NoVideoStream
from application.ports.originals import OriginalUnreadable
from domain.library.media_type import MediaFormat
from domain.library.orientation import UPRIGHT, Orientation
from domain.library.proxy import Rendition

LATEST_POSTER: Final = 3.0
FULL_TURN: Final = 360
MOST_STRETCHED: Final = Fraction(4)
QUARTER_TURN: Final = 90


@dataclass(frozen=True, slots=True, kw_only=True)
class VideoDeveloper:
    """FFmpeg decodes the key frame a third into the video, or 3 s where that is earlier."""

    budget: DecodingBudget

    def develop(self, stream: BinaryIO, media_format: MediaFormat) -> Rendition:
        """As the port says."""
        bounded = BoundedStream(stream)
        try:
            with opened_video(bounded, media_format) as container:
                return self._poster(container, bounded)
        except TakesTooLong as error:
            raise OriginalUnreadable(str(error)) from error
        except (av.FFmpegError, ValueError, pyvips.Error) as error:
            raise DamagedMedium("the video is damaged or cut off") from error

    def _poster(self, container: InputContainer, bounded: BoundedStream) -> Rendition:
        video = main_stream(container)
        if video is None:
            raise NoVideoStream("the file holds no video")
        if video.codec_context is None:
            raise DamagedMedium("the video is coded in a way that is not known")
        self.budget.refuse(video.width, video.height)
        video.codec_context.thread_count = 1
        video.codec_context.options = STRICT
        # Before the first packet: the decoder keeps several frames beside the one that is shown.
        with self.budget.whole(frame_bytes(video.width, video.height)):
            bounded.begin()  # waiting for room is no slow reading
            frame = _frame(container, video, bounded)
            image = _displayed(frame, video.sample_aspect_ratio)
            self.budget.refuse(image.width, image.height)
            preview = small_preview(image)
        return rendition_of(preview, (image.width, image.height), _orientation(frame))


def _frame(container: InputContainer, video: VideoStream, bounded: BoundedStream) -> VideoFrame:
    for start in (_poster_time(container), 0):
        try:
            # In units of FFmpeg's own clock; backward to the key frame before it.
            container.seek(start)
            frame = next(whole_frames(container, video, bounded), None)
        except av.FFmpegError:
            continue
        if frame is not None:
            return frame
    raise DamagedMedium("no picture of the video can be decoded")


def _poster_time(container: InputContainer) -> int:
    seconds = max(container.duration or 0, 0) / av.time_base
    return int(min(seconds / 3, LATEST_POSTER) * av.time_base)


def _displayed(frame: VideoFrame, pixel_shape: Fraction | None) -> pyvips.Image:
    """The frame's pixels, made square where the video says that they are not."""
    picture: Image.Image = frame.to_image()  # type: ignore[no-untyped-call]
    size = picture.width, picture.height
    image = pyvips.Image.new_from_memory(picture.tobytes(), *size, 3, "uchar")
    srgb = image.copy(interpretation="srgb")
    if not pixel_shape or pixel_shape == 1:
        return srgb
    if not MOST_STRETCHED**-1 <= pixel_shape <= MOST_STRETCHED:
        return srgb  # no camera makes such pixels
    return srgb.resize(float(pixel_shape), vscale=1)


def _orientation(frame: VideoFrame) -> Orientation:
    # FFmpeg counts against the clock.
    degrees = round(-frame.rotation) % FULL_TURN
    return Orientation(degrees, is_mirrored=False) if degrees % QUARTER_TURN == 0 else UPRIGHT
