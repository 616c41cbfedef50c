"""Posters of videos: which frame, how it is turned, and what has none."""

from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageStat
from typing_extensions import override

from adapters.ingestion import video_file
from adapters.ingestion.decoding_budget import DecodingBudget, DecodingLimits
from adapters.ingestion.metadata_reader import FormatMetadataReader
from adapters.ingestion.video_developer import VideoDeveloper
from adapters.ingestion.video_file import BoundedStream, TakesTooLong
from application.ports.media_developer import DamagedMedium, NoVideoStream, TooManyPixels
from application.ports.originals import OriginalUnreadable
from domain.library.media_type import MediaFormat, format_of
from domain.library.orientation import UPRIGHT, Orientation
from domain.library.proxy import ProxyKind, Rendition
from tests.crawl.library import real_budget, real_developer
from tests.crawl.videos import BLUE, GREEN, RED, YELLOW, quadrants, sound, video


def develop(encoded: bytes, limit: float = 300) -> Rendition:
    media_format = format_of(encoded[:256])
    assert media_format is not None
    return real_developer(limit).develop(BytesIO(encoded), media_format, UPRIGHT)


def preview(rendition: Rendition) -> Image.Image:
    (proxy,) = (each for each in rendition.proxies if each.kind is ProxyKind.PREVIEW)
    return Image.open(BytesIO(proxy.jpeg))


def corners(image: Image.Image) -> list[Any]:
    right, bottom = image.width - 5, image.height - 5
    return [image.getpixel(place) for place in ((4, 4), (right, 4), (4, bottom), (right, bottom))]


def near(found: list[Any], expected: list[tuple[int, int, int]]) -> bool:
    return all(
        abs(one - other) <= 15
        for pair in zip(found, expected, strict=True)
        for one, other in zip(*pair, strict=True)
    )


@pytest.mark.parametrize("container", ["mov", "mp4", "avi", "matroska", "webm", "asf"])
def test_a_video_of_every_kind_has_a_poster(container: str) -> None:
    rendition = develop(video(container))
    assert (rendition.width, rendition.height) == (64, 48)
    assert near(corners(preview(rendition)), [RED, GREEN, BLUE, YELLOW])
    assert len(rendition.proxies) == 2
    assert rendition.blurhash


@pytest.mark.parametrize(
    ("turned", "clockwise", "expected"),
    [
        (90, 270, [GREEN, YELLOW, RED, BLUE]),
        (-90, 90, [BLUE, RED, YELLOW, GREEN]),
        (180, 180, [YELLOW, BLUE, GREEN, RED]),
    ],
)
def test_a_poster_is_upright(
    turned: int, clockwise: int, expected: list[tuple[int, int, int]]
) -> None:
    rendition = develop(video("mov", turned=turned))
    assert rendition.orientation == Orientation(clockwise, is_mirrored=False)
    assert (rendition.width, rendition.height) == ((64, 48) if clockwise == 180 else (48, 64))
    assert near(corners(preview(rendition)), expected)


def test_pixels_that_are_not_square_are_made_so() -> None:
    rendition = develop(video("mp4", pixel_shape=Fraction(2, 1)))
    assert (rendition.width, rendition.height) == (128, 48)
    assert preview(rendition).size == (128, 48)


def test_one_frame_is_enough() -> None:
    assert develop(video(frames=1)).width == 64


def test_a_large_frame_is_scaled_down() -> None:
    rendition = develop(video(image=quadrants((2400, 1200)), frames=1))
    assert (rendition.width, rendition.height) == (2400, 1200)
    assert preview(rendition).size == (1920, 960)


@pytest.mark.parametrize("has_cover", [False, True])
def test_sound_alone_has_no_poster(*, has_cover: bool) -> None:
    with pytest.raises(NoVideoStream):
        develop(sound(has_cover=has_cover))


def test_a_frame_over_the_limit_is_refused() -> None:
    with pytest.raises(TooManyPixels):
        develop(video(image=quadrants((1200, 1000)), frames=1), limit=1)


def noisy() -> bytes:
    return video(image=Image.effect_noise((640, 480), 90).convert("RGB"), frames=20)


@pytest.mark.parametrize("kept", [0.2, 0.9, 0.99])
def test_a_video_that_is_still_being_copied_is_damaged(kept: float) -> None:
    whole = noisy()
    with pytest.raises(DamagedMedium, match=r"^the video is damaged or cut off$"):
        develop(whole[: int(len(whole) * kept)])
    with pytest.raises(DamagedMedium):
        develop(b"\x00\x00\x00\x14ftypqt  " + b"\x00" * 4000)


class Unplugged(BytesIO):
    """A disk that goes away while it is read."""

    @override
    def read(self, size: int | None = -1) -> bytes:
        if self.tell() > 100_000:
            raise OriginalUnreadable("it cannot be read")
        return super().read(size)


def test_an_original_that_cannot_be_read_is_not_called_damaged() -> None:
    with pytest.raises(OriginalUnreadable):
        real_developer().develop(Unplugged(noisy()), MediaFormat.QUICKTIME, UPRIGHT)


def test_reading_a_video_has_an_end() -> None:
    stream = BoundedStream(BytesIO(b"1234"), seconds=0)
    for ask in (lambda: stream.read(1), lambda: stream.seek(0), stream.check):
        with pytest.raises(TakesTooLong):
            ask()


def test_a_place_that_no_file_has_is_the_video_s_fault(tmp_path: Path) -> None:
    path = tmp_path / "x.mov"
    path.write_bytes(b"1234")
    with path.open("rb") as file:
        stream = BoundedStream(file)
        for offset, whence in ((-1, 0), (-5, 2), (-(2**63), 1)):
            with pytest.raises(ValueError, match="before the beginning"):
                stream.seek(offset, whence)
        for offset, whence in ((2**63 - 1, 0), (1, 2), (4, 0)):
            assert stream.seek(offset, whence) == 4
            assert stream.read(1) == b""
        assert (stream.seek(1), stream.seek(1, 1), stream.read(9)) == (1, 2, b"34")


def test_a_playlist_is_no_video(tmp_path: Any) -> None:
    target = tmp_path / "secret.mp4"
    target.write_bytes(video("mp4"))
    playlist = f"#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n{target}\n#EXT-X-ENDLIST\n".encode()
    for media_format in (MediaFormat.MP4, MediaFormat.MATROSKA, MediaFormat.AVI):
        with pytest.raises(DamagedMedium):
            real_developer().develop(BytesIO(playlist), media_format, UPRIGHT)


def test_a_video_of_a_coding_that_nobody_knows_is_damaged() -> None:
    unknown = video("avi").replace(b"FMP4", b"zzzz")
    with pytest.raises(DamagedMedium, match=r"^the video is coded in a way that is not known$"):
        develop(unknown)


CODINGS = [("avi", "mpeg4"), ("mp4", "mpeg4"), ("asf", "wmv2"), ("mov", "libx265")]


def scene(container: str, coding: str) -> tuple[bytes, Image.Image]:
    """Some key frames of noise, and what a poster of them looks like."""
    image = Image.effect_noise((320, 240), 60).convert("RGB")
    whole = video(container, image=image, frames=120, coding=coding)
    return whole, preview(develop(whole)).convert("RGB")


@pytest.mark.parametrize(("container", "coding"), CODINGS)
@pytest.mark.parametrize("length", [4096, 0.2])
def test_a_gap_anywhere_is_never_seen(container: str, coding: str, length: float) -> None:
    whole, expected = scene(container, coding)
    size = int(length if length > 1 else length * len(whole))
    taken = 0
    for percent in range(5, 70, 5):
        begin = max(len(whole) * percent // 100 // 4096 * 4096, 4096)
        try:
            found = preview(develop(whole[:begin] + bytes(size) + whole[begin + size :]))
        except DamagedMedium:
            continue
        taken += 1
        difference = ImageStat.Stat(ImageChops.difference(found.convert("RGB"), expected))
        assert max(difference.mean) < 12, percent
    assert taken > 0 or len(whole) < 100_000


def test_a_video_full_of_gaps_has_no_poster() -> None:
    whole, _ = scene("mp4", "mpeg4")
    begin, end = whole.index(b"mdat") + 4, whole.index(b"moov") - 4
    with pytest.raises(DamagedMedium, match=r"^no picture of the video can be decoded$"):
        develop(whole[:begin] + bytes(end - begin) + whole[end:])


class Sleepy(BytesIO):
    """A disk that has to spin up."""

    @override
    def read(self, size: int | None = -1) -> bytes:
        monotonic_now[0] += 16
        return super().read(size)


monotonic_now = [0.0]


@pytest.fixture
def a_clock_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monotonic_now[0] = 0.0
    monkeypatch.setattr(video_file, "monotonic", lambda: monotonic_now[0])


@pytest.mark.usefixtures("a_clock_of_its_own")
def test_a_video_on_a_slow_disk_is_not_called_damaged() -> None:
    with pytest.raises(OriginalUnreadable, match=r"^reading the video takes too long$"):
        real_developer().develop(Sleepy(noisy()), MediaFormat.QUICKTIME, UPRIGHT)
    reader = FormatMetadataReader(budget=real_budget())
    with pytest.raises(OriginalUnreadable, match=r"^reading the video takes too long$"):
        reader.read(Sleepy(noisy()), MediaFormat.QUICKTIME)


def test_pixels_that_no_camera_makes_are_taken_for_square() -> None:
    rendition = develop(video("mp4", pixel_shape=Fraction(1000, 1)))
    assert (rendition.width, rendition.height) == (64, 48)


def test_room_is_taken_before_the_first_frame_is_decoded() -> None:
    tight = DecodingLimits(
        megapixels=300,
        whole_megabytes=1,
        whole_megabytes_at_once=1,
        encoded_megabytes_at_once=64,
    )
    developer = VideoDeveloper(budget=DecodingBudget(tight))
    with pytest.raises(TooManyPixels, match=r"^decoding it takes more than 1 MB$"):
        developer.develop(BytesIO(video(image=quadrants((320, 240)))), MediaFormat.QUICKTIME)


def test_a_video_is_read_as_the_format_that_its_content_was_told_to_be() -> None:
    """FFmpeg would try them all, playlists that lead elsewhere among them."""
    for container, other in (("avi", MediaFormat.MP4), ("mov", MediaFormat.MATROSKA)):
        with pytest.raises(DamagedMedium):
            real_developer().develop(BytesIO(video(container)), other, UPRIGHT)
