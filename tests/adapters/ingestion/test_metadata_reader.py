"""EXIF and XMP as Pillow finds them in real files."""

import math
from io import BytesIO
from os import SEEK_END
from threading import Event, Thread
from zlib import compress, crc32

import pytest
from PIL import Image
from PIL.TiffImagePlugin import IFDRational
from typing_extensions import override

from adapters.ingestion.exif_values import numbers
from adapters.ingestion.metadata_reader import FormatMetadataReader
from domain.library.capture_date import RawDate, RawDates
from domain.library.location import RawLocation
from domain.library.media_type import MediaFormat
from domain.library.raw_metadata import RawMetadata
from tests.crawl.heic import exif_block, heic
from tests.crawl.library import real_budget
from tests.crawl.maker_note import apple_note
from tests.crawl.pictures import encode, exif
from tests.crawl.videos import video

XMP = b"""<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description
 xmp:CreateDate="2010-01-02T03:04:05" exif:DateTimeOriginal='2009-01-02T03:04:05+01:00'>
 <photoshop:DateCreated>2011-01-02</photoshop:DateCreated></rdf:Description></rdf:RDF></x:xmpmeta>"""


def read(encoded: bytes, kind: MediaFormat = MediaFormat.JPEG) -> RawMetadata:
    return FormatMetadataReader(budget=real_budget()).read(BytesIO(encoded), kind)


def test_dates_come_with_fraction_and_offset() -> None:
    block = exif(
        details={
            0x9003: "2021:03:04 05:06:07",
            0x9291: "89",
            0x9011: "+09:30",
            0x9004: "2022:03:04 05:06:07",
            0x9292: "1",
            0x9012: "Z",
        }
    )
    dates = read(encode(exif=block)).dates
    assert dates.original == RawDate(text="2021:03:04 05:06:07", fraction="89", offset="+09:30")
    assert dates.created == RawDate(text="2022:03:04 05:06:07", fraction="1", offset="Z")


def test_every_format_gives_its_exif() -> None:
    block = exif(base={0x010F: "Maker", 0x0112: 6})
    for kind in (MediaFormat.JPEG, MediaFormat.PNG, MediaFormat.WEBP):
        found = read(encode(kind=kind.upper(), exif=block), kind)
        assert (found.make, found.orientation) == (b"Maker", 6)


def test_text_comes_as_the_bytes_that_stood_there() -> None:
    block = exif(base={0x010F: b"Caf\xe9\x00\x01junk", 0x0110: "Model"}, details={0xA434: "Lens"})
    found = read(encode(exif=block))
    assert found.make is not None
    assert found.make.startswith(b"Caf\xe9")
    assert (found.model, found.lens) == (b"Model", b"Lens")


def test_a_place_comes_as_numbers() -> None:
    block = exif(gps={1: "N", 2: (51.0, 28.0, 40.5), 3: "E", 4: (0.0, 0.0, 0.0)})
    place = read(encode(exif=block)).location
    assert (place.latitude, place.latitude_ref) == ((51.0, 28.0, 40.5), "N")
    assert (place.longitude, place.longitude_ref) == ((0.0, 0.0, 0.0), "E")


def test_xmp_dates_come_best_first() -> None:
    expected = ("2009-01-02T03:04:05+01:00", "2011-01-02", "2010-01-02T03:04:05")
    assert read(encode(xmp=XMP)).dates.xmp == expected
    assert read(encode(kind="WEBP", xmp=XMP), MediaFormat.WEBP).dates.xmp == expected


def test_damaged_blocks_leave_everything_else() -> None:
    assert read(encode(exif=b"Exif\0\0MM\0*\xff\xff\xff\xff")) == RawMetadata()
    assert read(encode(exif=b"Exif\0\0nonsense")) == RawMetadata()
    assert read(b"\xff\xd8\xff nothing behind it") == RawMetadata()
    block = exif(base={0x010F: "Maker"}, gps={1: "N"}) + b"\xff" * 9
    assert read(encode(exif=block)).make == b"Maker"


def test_numbers_over_zero_are_no_numbers() -> None:
    found = numbers((IFDRational(0, 0), IFDRational(1, 2), 3))
    assert found is not None
    assert math.isnan(found[0])
    assert found[1:] == (0.5, 3.0)
    assert numbers("abc") is None
    assert numbers(None) is None
    assert numbers(b"\x01\x02") is None
    assert numbers(5) == (5.0,)


def test_a_picture_without_metadata_has_none() -> None:
    out = BytesIO()
    Image.new("P", (4, 4)).save(out, "GIF")
    assert read(out.getvalue(), MediaFormat.GIF) == RawMetadata()


def test_a_video_says_when_where_and_with_what_it_was_taken() -> None:
    found = read(
        video(
            "mov",
            {
                "creation_time": "2022-05-06T07:08:09Z",
                "com.apple.quicktime.creationdate": "2022-05-06T16:38:09+0930",
                "com.apple.quicktime.location.ISO6709": "+48.8584-002.2945+035/",
                "com.apple.quicktime.make": "Apple",
                "com.apple.quicktime.model": "iPhone 99",
                "com.apple.quicktime.content.identifier": "an identifier",
            },
        ),
        MediaFormat.QUICKTIME,
    )
    assert found == RawMetadata(
        dates=RawDates(
            apple=RawDate(text="2022-05-06T16:38:09+0930"),
            utc=RawDate(text="2022-05-06T07:08:09Z"),
        ),
        location=RawLocation(
            latitude=(48.8584,), latitude_ref="N", longitude=(2.2945,), longitude_ref="W"
        ),
        make=b"Apple",
        model=b"iPhone 99",
        content_identifier="an identifier",
        duration_seconds=1.0,
    )


@pytest.mark.parametrize(
    ("tags", "make", "model"),
    [
        (
            {"com.android.manufacturer": "Google", "com.android.model": "Pixel 9"},
            b"Google",
            b"Pixel 9",
        ),
        ({"make": "Canon", "model": "EOS"}, b"Canon", b"EOS"),
        (
            {
                "com.apple.quicktime.make": "Apple",
                "com.apple.quicktime.model": "iPhone 99",
                "make": "an app",
                "model": "of somebody",
            },
            b"Apple",
            b"iPhone 99",
        ),
    ],
)
def test_every_maker_of_cameras_has_names_of_its_own(
    tags: dict[str, str], make: bytes, model: bytes
) -> None:
    found = read(video("mp4", tags), MediaFormat.MP4)
    assert (found.make, found.model) == (make, model)


def test_an_instant_is_told_from_what_a_camera_s_clock_showed() -> None:
    utc = read(video("matroska", {"creation_time": "2022-05-06T07:08:09Z"}), MediaFormat.MATROSKA)
    assert utc.dates == RawDates(utc=RawDate(text="2022-05-06T07:08:09.000000Z"))
    avi = bytearray(video("avi"))
    # The chunk of the date, written over one that players skip.
    at = avi.index(b"JUNK")
    avi[at : at + 34] = b"IDIT\x1a\x00\x00\x00Mon Mar 10 15:04:43 2003\n\x00"
    rest = int.from_bytes(video("avi")[at + 4 : at + 8], "little") - 34
    avi[at + 34 : at + 42] = b"JUNK" + rest.to_bytes(4, "little")
    local = read(bytes(avi), MediaFormat.AVI)
    assert local.dates == RawDates(created=RawDate(text="2003-03-10 15:04:43"))


def test_a_video_without_a_readable_header_says_nothing() -> None:
    assert read(b"\x00\x00\x00\x14ftypqt  junk", MediaFormat.QUICKTIME) == RawMetadata()


def test_a_heic_gives_its_exif_but_not_the_turn_that_its_decoder_makes() -> None:
    block = Image.Exif()
    block[0x010F], block[0x0112] = "Apple", 6
    block.get_ifd(0x8769)[0x9003] = "2021:03:04 05:06:07"
    found = read(heic(exif=exif_block(block)), MediaFormat.HEIC)
    assert found.make == b"Apple"
    assert found.dates.original.text == "2021:03:04 05:06:07"
    assert found.orientation is None
    assert read(heic(), MediaFormat.HEIC) == RawMetadata()
    assert read(heic(exif=b"\xff\xff nonsense"), MediaFormat.HEIC) == RawMetadata()


def test_scans_give_their_exif() -> None:
    block = Image.Exif()
    block[0x010F], block[0x0112] = "Scanner", 6
    for kind, media_format in (("TIFF", MediaFormat.TIFF), ("AVIF", MediaFormat.AVIF)):
        found = read(encode(kind=kind, exif=block), media_format)
        assert (found.make, found.orientation) == (b"Scanner", 6)
    assert read(encode(kind="BMP"), MediaFormat.BMP) == RawMetadata()


def noted(note: bytes) -> str | None:
    block = Image.Exif()
    block.get_ifd(0x8769)[0x927C] = note
    return read(encode(exif=block.tobytes())).content_identifier


def test_apple_s_identifier_is_found_in_its_maker_note() -> None:
    assert noted(apple_note("an identifier")) == "an identifier\0"
    assert noted(apple_note("an identifier", "<")) == "an identifier\0"
    assert noted(apple_note("an identifier", tag=0x12)) is None
    assert noted(b"Apple iOS\0\0\1MM\xff\xff") is None
    assert noted(apple_note("an identifier")[:40]) is None
    assert noted(apple_note("x" * 200)) is None
    assert noted(b"Canon\0 something else") is None


class Counting(BytesIO):
    """Counts the bytes that are read."""

    taken = 0

    @override
    def read(self, size: int | None = -1) -> bytes:
        found = super().read(size)
        self.taken += len(found)
        return found


def late_png(*chunks: bytes) -> bytes:
    """A picture of noise, and these chunks behind its pixels."""
    out = BytesIO()
    Image.effect_noise((1500, 1000), 90).convert("RGB").save(out, "PNG", compress_level=0)
    whole = out.getvalue()
    return whole[:-12] + b"".join(chunks) + whole[-12:]


def chunk(kind: bytes, body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + kind + body + crc32(kind + body).to_bytes(4, "big")


def test_what_stands_behind_a_png_s_pixels_is_read_without_them() -> None:
    block = exif(base={0x010F: "Maker"}).removeprefix(b"Exif\0\0")
    for xmp in (b"\0\0\0\0" + XMP, b"\1\0\0\0" + compress(XMP)):
        text = chunk(b"iTXt", b"XML:com.adobe.xmp\0" + xmp)
        stream = Counting(late_png(chunk(b"eXIf", block), text))
        found = FormatMetadataReader(budget=real_budget()).read(stream, MediaFormat.PNG)
        assert found.make == b"Maker"
        assert found.dates.xmp[0] == "2009-01-02T03:04:05+01:00"
        assert stream.taken < 200_000


def test_png_chunks_that_lie_are_left_out() -> None:
    broken = chunk(b"iTXt", b"XML:com.adobe.xmp\0\1\0\0\0 not compressed")
    huge = (2**31).to_bytes(4, "big") + b"eXIf" + b"short"
    assert read(late_png(broken, huge), MediaFormat.PNG) == RawMetadata()


class CountedFile(BytesIO):
    """Claims to be larger than it is; notes what was read of it."""

    size = 0
    taken = 0

    @override
    def seek(self, offset: int, whence: int = 0) -> int:
        return self.size if whence == SEEK_END else super().seek(offset, whence)

    @override
    def read(self, size: int | None = -1) -> bytes:
        found = super().read(size)
        self.taken += len(found)
        return found


@pytest.mark.parametrize("kind", [MediaFormat.HEIC, MediaFormat.AVIF, MediaFormat.WEBP])
def test_a_file_over_the_limit_is_not_read(kind: MediaFormat) -> None:
    out = BytesIO()
    if kind is MediaFormat.HEIC:
        out.write(heic())
    else:
        Image.new("RGB", (16, 16)).save(out, kind.upper())
    # Pillow has two of them twice in memory.
    limit = (512 if kind is MediaFormat.HEIC else 256) * 1024 * 1024
    file = CountedFile(out.getvalue())
    file.size = limit
    FormatMetadataReader(budget=real_budget()).read(file, kind)
    assert file.taken > 0
    file = CountedFile(out.getvalue())
    file.size = limit + 1
    assert FormatMetadataReader(budget=real_budget()).read(file, kind) == RawMetadata()
    assert file.taken == 0


def test_a_file_waits_for_the_room_that_developers_share() -> None:
    budget, done = real_budget(), Event()
    reader = FormatMetadataReader(budget=budget)

    def read_it() -> None:
        reader.read(BytesIO(heic()), MediaFormat.HEIC)
        done.set()

    with budget.encoded(64_000_000):
        Thread(target=read_it, daemon=True).start()
        assert not done.wait(0.2)
    assert done.wait(5)


def test_the_old_prefix_of_xmp_is_read() -> None:
    block = XMP.replace(b"exif:DateTimeOriginal='2009-01-02T03:04:05+01:00'", b"")
    old = block.replace(b"xmp:CreateDate", b"xap:CreateDate")
    assert read(encode(xmp=old)).dates.xmp == read(encode(xmp=block)).dates.xmp
    assert "2010-01-02T03:04:05" in read(encode(xmp=old)).dates.xmp
