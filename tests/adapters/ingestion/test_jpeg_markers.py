"""Where the coded pixels of a JPEG lie, by the markers of ITU T.81."""

import pytest

from adapters.ingestion.jpeg_markers import scan_of

START, END = b"\xff\xd8", b"\xff\xd9"
SCAN = b"\xff\xda\x00\x04\x01\x02"


def segment(body: bytes, marker: int = 0xE1) -> bytes:
    return b"\xff" + bytes([marker]) + (len(body) + 2).to_bytes(2, "big") + body


def test_a_scan_lasts_until_the_end_of_the_image() -> None:
    assert scan_of(START + SCAN + b"pixels" + END) == (2, 14)


def test_segments_before_it_are_stepped_over_whatever_they_hold() -> None:
    """A preview in one has scans and ends of its own."""
    preview = START + SCAN + b"little" + END
    encoded = START + segment(preview) + segment(b"", 0xDB) + SCAN + b"pixels" + END
    assert scan_of(encoded) == (26, 38)


def test_a_segment_may_be_longer_than_a_byte_can_say() -> None:
    encoded = START + segment(bytes(300)) + SCAN + END
    assert scan_of(encoded) == (306, 312)


def test_later_scans_belong_to_it_and_what_follows_the_end_does_not() -> None:
    encoded = START + SCAN + b"one" + SCAN + b"two" + END + b"behind" + END
    assert scan_of(encoded) == (2, 20)


@pytest.mark.parametrize("padding", [1, 2, 3])
def test_markers_may_be_padded(padding: int) -> None:
    encoded = START + b"\xff" * padding + SCAN + END
    assert scan_of(encoded) == (2 + padding, 8 + padding)


def test_an_image_without_an_end_lasts_until_the_file_s() -> None:
    assert scan_of(START + SCAN + b"pix") == (2, 11)
    assert scan_of(START + b"\xff\xda\x00\x04") == (2, 6)


@pytest.mark.parametrize(
    "encoded",
    [
        b"",
        START,
        START + SCAN[:3],
        START + END,
        START + segment(b"x") + b"no marker" + SCAN,
        START + segment(b"x")[:-1],
        START + b"\xff\xe1\xff\xff" + SCAN,
    ],
)
def test_a_file_without_a_scan_has_none(encoded: bytes) -> None:
    assert scan_of(encoded) == (0, 0)
