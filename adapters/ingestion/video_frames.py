"""Frames that were decoded without an error, out of a video that may have gaps."""

from collections.abc import Iterator
from typing import Final

import av
from av.container import InputContainer
from av.packet import Packet
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from adapters.ingestion.video_file import BoundedStream

PACKETS_AT_MOST: Final = 2_000
STRICT: Final = {"err_detect": "crccheck+bitstream+buffer+explode"}
"""Options of a decoder: without them a gap becomes grey, or a smear of the frame before."""
DENSELY_CODED: Final = (
    "av1",
    "h26",
    "hevc",
    "libdav1d",
    "libvpx",
    "mjpeg",
    "mpeg",
    "msmpeg",
    "vp",
    "wmv",
)
"""How the names of decoders begin whose coders write no long runs of zeros."""
NEVER_CODED: Final = bytes(256)


def whole_frames(
    container: InputContainer, video: VideoStream, bounded: BoundedStream
) -> Iterator[VideoFrame]:
    """In the order of the file. At first, and behind an error, only what begins anew."""
    is_dense = video.codec_context.name.startswith(DENSELY_CODED)
    # A damaged index leads to frames that need those before them.
    is_broken = True
    for number, packet in enumerate(container.demux(video)):
        bounded.check()
        if number >= PACKETS_AT_MOST:
            return
        frames = None if is_dense and _has_gap(packet) else _decoded(packet)
        if frames is None:
            is_broken = True
            continue
        for frame in frames:
            is_broken = frame.is_corrupt or (is_broken and not frame.key_frame)
            if not is_broken:
                yield frame


def _has_gap(packet: "Packet[VideoStream]") -> bool:
    """A copy under way is full of zeros. The last packet of all is empty."""
    coded = bytes(packet)
    return NEVER_CODED in coded or (packet.size > 0 and not any(coded))


def _decoded(packet: "Packet[VideoStream]") -> list[VideoFrame] | None:
    """None where the decoder finds an error."""
    try:
        return packet.decode()
    except av.FFmpegError:
        return None
