"""Little pictures made for a test."""

from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import ExifTags, Image

Color = tuple[int, int, int]


def encode(
    color: Color = (200, 30, 30),
    size: tuple[int, int] = (64, 48),
    kind: str = "JPEG",
    **options: Any,
) -> bytes:
    """One plain picture; another colour is another content."""
    out = BytesIO()
    Image.new("RGB", size, color).save(out, kind, **options)
    return out.getvalue()


def exif(
    base: dict[int, Any] | None = None,
    details: dict[int, Any] | None = None,
    gps: dict[int, Any] | None = None,
) -> bytes:
    """An EXIF block with these tags."""
    block = Image.Exif()
    for tag, value in (base or {}).items():
        block[tag] = value
    for ifd, tags in ((ExifTags.IFD.Exif, details), (ExifTags.IFD.GPSInfo, gps)):
        for tag, value in (tags or {}).items():
            block.get_ifd(ifd)[tag] = value
    return block.tobytes()


def photo(number: int, **options: Any) -> bytes:
    """A JPEG unlike that of any other number below 4096."""
    color = (number % 16 * 16, number // 16 % 16 * 16, number // 256 % 16 * 16)
    return encode(color, (64, 48), "JPEG", **options)


def write(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path
