"""Pictures as heavy to decode as those of a camera: detail everywhere, and metadata."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pyvips
from PIL import ExifTags, Image


class Size(NamedTuple):
    width: int
    height: int


MEGAPIXELS_12 = Size(4000, 3000)
MEGAPIXELS_24 = Size(6000, 4000)
FIRST = datetime(2019, 7, 1, 12, tzinfo=UTC)


def write_jpegs(
    folder: Path, count: int, size: Size, *, progressive: bool = False, full_colour: bool = False
) -> int:
    """Write distinct pictures that weigh some megabytes each; all their bytes.

    Cameras halve the colours' resolution; programs that export pictures may not.
    """
    folder.mkdir(parents=True, exist_ok=True)
    scene = _scene(size)
    for number in range(count):
        path = folder / f"IMG_{number:04}.jpg"
        turned = scene.wrap(x=number * 37, y=number * 11)
        jpeg = turned.jpegsave_buffer(
            Q=92, interlace=progressive, subsample_mode="off" if full_colour else "on"
        )
        path.write_bytes(_with_exif(jpeg, FIRST + timedelta(minutes=number)))
    return sum(path.stat().st_size for path in folder.iterdir())


def _scene(size: Size) -> pyvips.Image:
    """Large shapes under fine grain, so that neither the file nor its decoding is trivial."""
    shapes = pyvips.Image.perlin(size.width, size.height, cell_size=256, uchar=True)
    bands = [
        shapes.linear(0.6, shift) + pyvips.Image.gaussnoise(size.width, size.height, sigma=12)
        for shift in (20, 50, 80)
    ]
    joined = bands[0].bandjoin(bands[1:]).cast("uchar")
    return joined.copy(interpretation="srgb").copy_memory()


def _with_exif(jpeg: bytes, taken_at: datetime) -> bytes:
    exif = Image.Exif()
    exif[ExifTags.Base.Make] = "Maker"
    exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.DateTimeOriginal] = (
        f"{taken_at:%Y:%m:%d %H:%M:%S}"
    )
    block = exif.tobytes()
    return jpeg[:2] + b"\xff\xe1" + (len(block) + 2).to_bytes(2, "big") + block + jpeg[2:]
