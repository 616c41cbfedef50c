"""Each format is looked through by its own rules."""

import pytest

from adapters.ingestion.integrity import refuse_gaps
from domain.library.media_type import MediaFormat
from tests.adapters.ingestion.refusals import CUT_OFF, GAPS, refusal

BLOCK = 4096
JPEG = b"\xff\xd8\xff\xda\x00\x04\x01\x02".ljust(BLOCK, b"\x01") + bytes(BLOCK) + b"\x01\xff\xd9"
HEIC = (
    b"\x00\x00\x00\x4c" + b"meta" + bytes(4)
    + b"\x00\x00\x00\x1e" + b"iloc" + bytes(4) + b"\x44\x00\x00\x01"
    + b"\x00\x01\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\xff"
    + b"\x00\x00\x00\x22" + b"iinf" + bytes(4) + b"\x00\x01"
    + b"\x00\x00\x00\x14" + b"infe" + b"\x02\x00\x00\x00" + b"\x00\x01\x00\x00" + b"hvc1"
)  # fmt: skip
DAMAGED = {
    MediaFormat.JPEG: (JPEG, GAPS),
    MediaFormat.HEIC: (HEIC, CUT_OFF),
    MediaFormat.AVIF: (HEIC.replace(b"hvc1", b"av01"), CUT_OFF),
    MediaFormat.GIF: (
        b"GIF89a\x04\x00\x04\x00\x00\x00\x00\x2c",
        "the picture is damaged or cut off",
    ),
    MediaFormat.TIFF: (b"II\x2a\x00\x08\x00\x00\x00", CUT_OFF),
    MediaFormat.WEBP: (b"RIFF\x00\x08\x00\x00WEBPVP8 \x00\x07\x00\x00" + bytes(1792), GAPS),
}


@pytest.mark.parametrize("media_format", list(DAMAGED))
def test_a_damaged_file_is_told_by_its_format(media_format: MediaFormat) -> None:
    encoded, reason = DAMAGED[media_format]
    assert refusal(refuse_gaps, encoded, media_format) == reason


@pytest.mark.parametrize("media_format", [MediaFormat.PNG, MediaFormat.BMP])
def test_a_format_without_rules_is_let_through(media_format: MediaFormat) -> None:
    for encoded, _ in DAMAGED.values():
        assert refusal(refuse_gaps, encoded, media_format) is None
