"""Dates in XMP, as attributes and as elements, by the names of Adobe's specification."""

import pytest

from adapters.ingestion.xmp_dates import xmp_dates

MEGABYTE = 1024 * 1024


def dates(block: bytes | str) -> tuple[str, ...]:
    return xmp_dates({"xmp": block})


def test_the_original_date_is_worth_most() -> None:
    block = (
        b'<rdf:Description xmp:CreateDate="2003" photoshop:DateCreated="2002"'
        b' exif:DateTimeOriginal="2001"/>'
    )
    assert dates(block) == ("2001", "2002", "2003")


@pytest.mark.parametrize(
    "field",
    [
        b'exif:DateTimeOriginal="2009-01-02T03:04:05+01:00"',
        b"exif:DateTimeOriginal = '2009-01-02T03:04:05+01:00'",
        b"<exif:DateTimeOriginal>2009-01-02T03:04:05+01:00</exif:DateTimeOriginal>",
        b"<exif:DateTimeOriginal>\n  2009-01-02T03:04:05+01:00 \n</exif:DateTimeOriginal>",
        b'xap:CreateDate="2009-01-02T03:04:05+01:00"',
        b'xmp:CreateDate="2009-01-02T03:04:05+01:00"',
        b'photoshop:DateCreated="2009-01-02T03:04:05+01:00"',
    ],
)
def test_a_date_is_an_attribute_or_an_element(field: bytes) -> None:
    assert dates(field) == ("2009-01-02T03:04:05+01:00",)


@pytest.mark.parametrize(
    "field",
    [
        b'exif:DateTimeDigitized="2009"',
        b'xmp:ModifyDate="2009"',
        b'exif:DateTimeOriginal=""',
        b'exif:DateTimeOriginal="200"',
        b'exif:DateTimeOriginal "2009"',
        b"",
    ],
)
def test_what_is_no_such_date_is_left_out(field: bytes) -> None:
    assert dates(field) == ()


def test_no_more_is_taken_than_a_date_may_have() -> None:
    assert dates(b'xmp:CreateDate="' + b"2" * 90 + b'"') == ("2" * 40,)


def test_what_is_no_ascii_is_marked() -> None:
    assert dates(b'xmp:CreateDate="2009\xff"') == ("2009\ufffd",)


def test_a_block_that_was_decoded_is_read_too() -> None:
    assert dates('xmp:CreateDate="2009" \u00e9 \ud800') == ("2009",)
    assert dates('xmp:CreateDate="2009\u00e9"') == ("2009\ufffd\ufffd",)


def test_a_png_names_its_block_otherwise_and_the_first_name_wins() -> None:
    png = b'xmp:CreateDate="2001"'
    assert xmp_dates({"XML:com.adobe.xmp": png}) == ("2001",)
    assert xmp_dates({"XML:com.adobe.xmp": png, "xmp": b'xmp:CreateDate="2002"'}) == ("2002",)
    assert xmp_dates({"XML:com.adobe.xmp": png, "xmp": 5}) == ("2001",)
    assert xmp_dates({"xmp": None}) == xmp_dates({}) == ()


def test_only_the_first_megabyte_is_searched() -> None:
    field = b'xmp:CreateDate="2009"'
    assert dates(bytes(MEGABYTE - len(field)) + field) == ("2009",)
    assert dates(bytes(MEGABYTE) + field) == ()
