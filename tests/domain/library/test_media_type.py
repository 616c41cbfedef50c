"""The extension selects, the content decides."""

import pytest

from domain.library.media_type import (
    MediaFormat,
    MediaType,
    format_of,
    is_other_media,
    type_by_name,
    type_of,
)


@pytest.mark.parametrize(
    "path",
    [b"a.jpg", b"a.JPG", b"a.jpeg", b"a.png", b"a.webp", b"a.gif", b"x.y/a.b.JpEg", b"\xff.jpg"],
)
def test_pictures_are_selected_whatever_the_case_of_the_extension(path: bytes) -> None:
    assert type_by_name(path) is MediaType.IMAGE


@pytest.mark.parametrize(
    "extension", ["jpg", "jpeg", "png", "heic", "heif", "avif", "gif", "webp", "tif", "tiff", "bmp"]
)
def test_every_kind_of_picture_is_selected(extension: str) -> None:
    assert type_by_name(f"a.{extension}".encode()) is MediaType.IMAGE


@pytest.mark.parametrize("extension", ["mov", "mp4", "m4v", "avi", "mkv", "wmv", "webm", "MOV"])
def test_every_kind_of_video_is_selected(extension: str) -> None:
    assert type_by_name(f"a.{extension}".encode()) is MediaType.VIDEO


@pytest.mark.parametrize(
    "path",
    [b"jpg", b"a.txt", b"a.jpg.txt", b"x.jpg/a", b"a.", b"x/.jpg", b"a.3gp", b"a.nef", b"a.dng"],
)
def test_other_names_are_not_selected(path: bytes) -> None:
    assert type_by_name(path) is None


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"\xff\xd8\xff\xe0rest", MediaFormat.JPEG),
        (b"\xff\xd8\xfe", None),
        (b"\x89PNG\r\n\x1a\nrest", MediaFormat.PNG),
        (b"\x89PNG\n\n", None),
        (b"GIF87a", MediaFormat.GIF),
        (b"GIF89a...", MediaFormat.GIF),
        (b"GIF88a", None),
        (b"RIFF\x01\x02\x03\x04WEBPVP8 ", MediaFormat.WEBP),
        (b"RIFF\x01\x02\x03\x04AVI LIST", MediaFormat.AVI),
        (b"RIFF\x01\x02\x03\x04AVIXLIST", MediaFormat.AVI),
        (b"RIFF\x01\x02\x03\x04WAVEfmt ", None),
        (b"II*\x00rest", MediaFormat.TIFF),
        (b"MM\x00*rest", MediaFormat.TIFF),
        (b"II+\x00rest", MediaFormat.TIFF),
        (b"MM\x00+rest", MediaFormat.TIFF),
        (b"BM" + bytes(12) + b"\x28\x00\x00\x00", MediaFormat.BMP),
        (b"BM" + bytes(12) + b"\x7c\x00\x00\x00", MediaFormat.BMP),
        (b"BM" + bytes(12) + b"\x27\x00\x00\x00", None),
        (b"BMW is a text as well", None),
        (b"\x1aE\xdf\xa3", MediaFormat.MATROSKA),
        (b"0&\xb2u\x8ef\xcf\x11", MediaFormat.ASF),
        (b"0&\xb2u", None),
        (b"\x00\x00\x00\x14ftypqt  ", MediaFormat.QUICKTIME),
        (b"\x00\x00\x00\x14ftypisom", MediaFormat.MP4),
        (b"\x00\x00\x00\x14ftypmp42", MediaFormat.MP4),
        (b"\x00\x00\x00\x14ftypM4V ", MediaFormat.MP4),
        (b"\x00\x00\x00\x14ftypheic", MediaFormat.HEIC),
        (b"\x00\x00\x00\x14ftyphevx", MediaFormat.HEIC),
        (b"\x00\x00\x00\x14ftypavif", MediaFormat.AVIF),
        (b"\x00\x00\x00\x14ftypavis", MediaFormat.AVIF),
        (b"\x00\x00\x00\x18ftypmif1\x00\x00\x00\x00mif1heic", MediaFormat.HEIC),
        (b"\x00\x00\x00\x1cftypmif1\x00\x00\x00\x00mif1miafavif", MediaFormat.AVIF),
        (b"\x00\x00\x00\x14ftypmif1\x00\x00\x00\x00mif1avif", MediaFormat.HEIC),
        (b"\x00\x00\x00\x1cftypmif1\x00\x00\x00\x00mif1avifmiaf", MediaFormat.AVIF),
        (b"\x00\x00\x00\x1cftypmif1\x00\x00\x00\x00mif1xxavifxx", MediaFormat.HEIC),
        (b"\x00\x00\x00\x14ftypmsf1\x00\x00\x00\x00", MediaFormat.HEIC),
        (b"\x00\x00\x00\x14ftypmif2\x00\x00\x00\x00", MediaFormat.HEIC),
        (b"\x00\x00\x00\x14ftypcrx \x00\x00\x00\x00", None),
        (b"\x00\x00\x00\x08moov", MediaFormat.QUICKTIME),
        (b"\x00\x00\x00\x08mdat", MediaFormat.QUICKTIME),
        (b"\x00\x00\x00\x08wide", MediaFormat.QUICKTIME),
        (b"\x00\x00\x00\x08free", MediaFormat.QUICKTIME),
        (b"\x00\x00\x00\x08skip", MediaFormat.QUICKTIME),
        (b"\x00\x00\x00\x08pnot", MediaFormat.QUICKTIME),
        (b"moov", None),
        (b"riff\x01\x02\x03\x04WEBP", None),
        (b"WEBP", None),
        (b"", None),
        (b"this is text", None),
    ],
)
def test_the_first_bytes_tell_the_format(head: bytes, expected: MediaFormat | None) -> None:
    assert format_of(head) is expected


@pytest.mark.parametrize(
    "head",
    [
        b"\xff\x0arest",
        b"8BPS\x00\x01",
        b"FLV\x01\x05",
        b"OggS\x00",
        b"\x00\x00\x01\xba\x44",
        b"\x00\x00\x00\x0cjP  \r\n\x87\n",
        b"\x00\x00\x00\x0cJXL \r\n\x87\n",
        b"\x00\x00\x00\x18ftypcrx ",
        b"\x00\x00\x00\x18ftypjp2 ",
    ],
)
def test_media_of_other_formats_is_known_as_such(head: bytes) -> None:
    assert is_other_media(head)


@pytest.mark.parametrize(
    "head", [b"", b"ftyp", b"\x00ftyp", b"plain text here", b"AVI ", b"\x00\x00\x00\x18ftypheic"]
)
def test_what_is_no_media_is_not_taken_for_it(head: bytes) -> None:
    assert not is_other_media(head)


def test_a_format_is_that_of_pictures_or_of_videos() -> None:
    videos = {each for each in MediaFormat if type_of(each) is MediaType.VIDEO}
    assert videos == {"mp4", "quicktime", "avi", "matroska", "asf"}
    assert {type_of(each) for each in set(MediaFormat) - videos} == {MediaType.IMAGE}


@pytest.mark.parametrize("size", [12, 40, 52, 56, 64, 108, 124])
def test_the_size_of_its_second_header_tells_a_bitmap(size: int) -> None:
    head = b"BM" + bytes(12) + size.to_bytes(4, "little") + b"\x01"
    assert format_of(head) is MediaFormat.BMP
    assert format_of(b"bm" + head[2:]) is None
    assert format_of(b"BM" + bytes(12) + (size + 1).to_bytes(4, "little")) is None
