"""Little HEIC files: one coded frame of 64 by 64 pixels in boxes that a test chooses.

The frame shows red and green above blue and yellow. It was coded for these tests; no decoder that
we use can encode HEIC.
"""

from base64 import b64decode

from PIL import Image

SIDE = 64
RED, GREEN, BLUE, YELLOW = (220, 30, 30), (30, 200, 30), (30, 30, 220), (230, 220, 40)
_CONFIGURATION = b64decode(
    "AQQIAAAAn6gAAAAAHvAA/P34+AAADwOgAAEAF0ABDAH//wQIAAADAJ+oAAADAAAeugJAoQABACZCAQEECAAAAwCfqAAA"
    "AwAAHqAggQWW6kkyuaAgAAADACAAAAMAIaIAAQAHRAHBcrAiQA=="
)
_FRAME = b64decode(
    "AAAAcigBrwvgfcSKDT//GVv/8NfZe4PeknqnUvbZ1xrbT1ir79L5KJl/99+zuTVHsON5+IOKDpExISYgZmI0w7UJfFgp"
    "et/1In1lc0ZNj3o/7qYmigC2z1/ZPpw5qX3++fjAJWY0oG4BBaE4mDpv0f/bY97CcA=="
)
_PICTURE, _EXIF = 1, 2


def heic(
    *,
    exif: bytes = b"",
    quarter_turns: int = 0,
    claimed: tuple[int, int] = (SIDE, SIDE),
    brand: bytes = b"heic",
    comment: bytes = b"",
    profile: bytes = b"",
) -> bytes:
    """One picture, turned against the clock by its container; `comment` makes it another file.

    `profile` is a colour profile of its own.
    """
    start = _box(b"ftyp", brand + bytes(4) + b"mif1heic")
    block = bytes(4) + exif if exif else b""
    properties = _properties(quarter_turns, claimed, profile)
    size = len(_meta(0, block, properties))
    meta = _meta(len(start) + size + 8, block, properties)
    return start + meta + _box(b"mdat", _FRAME + block) + _box(b"free", comment)


def exif_block(block: Image.Exif) -> bytes:
    """An EXIF block as HEIC keeps it: without JPEG's six letters in front."""
    return block.tobytes().removeprefix(b"Exif\x00\x00")


def _box(kind: bytes, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return (len(body) + 8).to_bytes(4, "big") + kind + body


def _meta(data_at: int, block: bytes, properties: bytes) -> bytes:
    places = [(_PICTURE, data_at, len(_FRAME))]
    kinds = [(_PICTURE, b"hvc1")]
    links = b""
    if block:
        places.append((_EXIF, data_at + len(_FRAME), len(block)))
        kinds.append((_EXIF, b"Exif"))
        # "This describes that": from the block to the picture.
        links = _box(b"iref", bytes(4), _box(b"cdsc", bytes([0, _EXIF, 0, 1, 0, _PICTURE])))
    return _box(
        b"meta",
        bytes(4),
        _box(b"hdlr", bytes(8), b"pict", bytes(13)),
        _box(b"pitm", bytes(4), _PICTURE.to_bytes(2, "big")),
        _locations(places),
        _kinds(kinds),
        links,
        properties,
    )


def _locations(places: list[tuple[int, int, int]]) -> bytes:
    entries = b"".join(
        item.to_bytes(2, "big")
        + bytes(2)
        + b"\x00\x01"
        + at.to_bytes(4, "big")
        + size.to_bytes(4, "big")
        for item, at, size in places
    )
    return _box(b"iloc", bytes(4), b"\x44\x00", len(places).to_bytes(2, "big"), entries)


def _kinds(kinds: list[tuple[int, bytes]]) -> bytes:
    entries = [
        _box(b"infe", b"\x02" + bytes(3), item.to_bytes(2, "big"), bytes(2), kind, b"\x00")
        for item, kind in kinds
    ]
    return _box(b"iinf", bytes(4), len(entries).to_bytes(2, "big"), *entries)


def _properties(quarter_turns: int, claimed: tuple[int, int], profile: bytes) -> bytes:
    width, height = claimed
    colours = _box(b"colr", b"prof", profile) if profile else b""
    container = _box(
        b"ipco",
        _box(b"hvcC", _CONFIGURATION),
        _box(b"ispe", bytes(4), width.to_bytes(4, "big"), height.to_bytes(4, "big")),
        _box(b"irot", bytes([quarter_turns])),
        colours,
    )
    ours = bytes([0x81, 0x02, 0x83, *([0x04] if profile else [])])
    links = bytes(4) + (1).to_bytes(4, "big") + _PICTURE.to_bytes(2, "big")
    links += bytes([len(ours)]) + ours
    return _box(b"iprp", container, _box(b"ipma", links))
