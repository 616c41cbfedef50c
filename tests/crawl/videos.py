"""Little videos made for a test."""

from collections.abc import Mapping
from fractions import Fraction
from io import BytesIO

import av
from av.audio.stream import AudioStream
from av.container import OutputContainer
from av.video.stream import VideoStream
from PIL import Image

RED, GREEN, BLUE, YELLOW = (220, 30, 30), (30, 200, 30), (30, 30, 220), (230, 220, 40)
SIZE = (64, 48)
CODECS = {"avi": "mpeg4", "asf": "wmv2", "webm": "libvpx"}


def quadrants(size: tuple[int, int] = SIZE) -> Image.Image:
    """Red and green above blue and yellow."""
    width, height = size[0] // 2, size[1] // 2
    image = Image.new("RGB", size)
    for x, y, color in ((0, 0, RED), (1, 0, GREEN), (0, 1, BLUE), (1, 1, YELLOW)):
        image.paste(color, (x * width, y * height, (x + 1) * width, (y + 1) * height))
    return image


def video(
    container: str = "mov",
    tags: Mapping[str, str] | None = None,
    *,
    image: Image.Image | None = None,
    frames: int = 10,
    turned: int = 0,
    pixel_shape: Fraction | None = None,
    coding: str | None = None,
) -> bytes:
    """So many frames of one picture, a tenth of a second each.

    `turned` is in degrees against the clock, as the header asks a player to turn it.
    """
    picture = quadrants() if image is None else image
    out = BytesIO()
    # Without chance: the same arguments make the same bytes.
    options = {"fflags": "+bitexact"}
    if container in {"mov", "mp4"}:
        options["movflags"] = "use_metadata_tags"
    with av.open(out, "w", format=container, options=options) as file:
        file.metadata.update(tags or {})
        stream = file.add_stream(coding or CODECS.get(container, "mpeg4"), rate=10)
        assert isinstance(stream, VideoStream)
        stream.width, stream.height = picture.size
        stream.pix_fmt = "yuv420p"
        if pixel_shape is not None:
            stream.codec_context.sample_aspect_ratio = pixel_shape
        if turned:
            stream.set_display_rotation(turned)
        for number in range(frames):
            frame = av.VideoFrame.from_image(picture)  # type: ignore[no-untyped-call]
            frame.pts = number
            for packet in stream.encode(frame):
                file.mux(packet)
        for packet in stream.encode(None):
            file.mux(packet)
    return out.getvalue()


def sound(*, has_cover: bool = False) -> bytes:
    """An MP4 that holds sound only, or sound and a picture to show beside it."""
    out = BytesIO()
    with av.open(out, "w", format="mp4") as file:
        stream = file.add_stream("aac", rate=8000)
        assert isinstance(stream, AudioStream)
        cover = _cover(file) if has_cover else None
        frame = av.AudioFrame(format="fltp", layout="mono", samples=1024)
        frame.sample_rate = 8000
        for plane in frame.planes:
            plane.update(bytes(plane.buffer_size))
        if cover is not None:
            picture = av.VideoFrame.from_image(quadrants())  # type: ignore[no-untyped-call]
            picture.pts = 0
            for packet in [*cover.encode(picture), *cover.encode(None)]:
                file.mux(packet)
        for packet in [*stream.encode(frame), *stream.encode(None)]:
            file.mux(packet)
    return out.getvalue()


def _cover(file: OutputContainer) -> VideoStream:
    stream = file.add_stream("mjpeg", rate=1)
    assert isinstance(stream, VideoStream)
    stream.width, stream.height = SIZE
    stream.pix_fmt = "yuvj420p"
    stream.disposition = av.stream.Disposition.attached_pic
    return stream
