"""The extension selects, the content decides."""

import pytest

from domain.library.media_type import (
    MediaFormat,
    MediaType,
    format_of,
    is_other_media,
    type_by_name,
)


@pytest.mark.parametrize(
    "path",
    [b"a.jpg", b"a.JPG", b"a.jpeg", b"a.png", b"a.webp", b"a.gif", b"x.y/a.b.JpEg", b"\xff.jpg"],
)
def test_pictures_are_selected_whatever_the_case_of_the_extension(path: bytes) -> None:
    assert type_by_name(path) is MediaType.IMAGE


@pytest.mark.parametrize(
    "path", [b"jpg", b"a.txt", b"a.jpg.txt", b"x.jpg/a", b"a.", b"x/.jpg", b"a.mp4", b"a.heic"]
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
        (b"RIFF\x01\x02\x03\x04AVI LIST", None),
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
        b"BM\x00",
        b"II*\x00rest",
        b"II+\x00",
        b"MM\x00*",
        b"MM\x00+",
        b"\x1aE\xdf\xa3",
        b"0&\xb2u",
        b"\x00\x00\x00\x18ftypheic",
        b"RIFF\x01\x02\x03\x04AVI LIST",
    ],
)
def test_media_of_other_formats_is_known_as_such(head: bytes) -> None:
    assert is_other_media(head)


@pytest.mark.parametrize("head", [b"", b"ftyp", b"\x00ftyp", b"plain text here", b"AVI "])
def test_what_is_no_media_is_not_taken_for_it(head: bytes) -> None:
    assert not is_other_media(head)
