"""EXIF and XMP as Pillow finds them in real files."""

import math
from io import BytesIO

from PIL import Image
from PIL.TiffImagePlugin import IFDRational

from adapters.ingestion.exif_values import numbers
from adapters.ingestion.metadata_reader import PillowMetadataReader
from domain.library.capture_date import RawDate
from domain.library.media_type import MediaFormat
from domain.library.raw_metadata import RawMetadata
from tests.crawl.pictures import encode, exif

XMP = b"""<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description
 xmp:CreateDate="2010-01-02T03:04:05" exif:DateTimeOriginal='2009-01-02T03:04:05+01:00'>
 <photoshop:DateCreated>2011-01-02</photoshop:DateCreated></rdf:Description></rdf:RDF></x:xmpmeta>"""


def read(encoded: bytes, kind: MediaFormat = MediaFormat.JPEG) -> RawMetadata:
    return PillowMetadataReader().read(BytesIO(encoded), kind)


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
