"""Pictures as heavy to decode as those of a camera: detail everywhere, and metadata."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

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


Writer = Callable[[pyvips.Image, Path], object]


def _by_vips(suffix: str, **options: object) -> Writer:
    return lambda image, place: image.write_to_file(f"{place}{suffix}", **options)


def _by_pillow(suffix: str, **options: Any) -> Writer:
    def write(image: pyvips.Image, place: Path) -> None:
        mode = "RGBA" if image.hasalpha() else "RGB"
        pixels = image.write_to_memory()
        picture = Image.frombytes(mode, (image.width, image.height), pixels)
        picture.save(f"{place}{suffix}", **options)

    return write


def _sixteen_bits(write: Writer) -> Writer:
    return lambda image, place: write(
        (image.cast("ushort") * 257).cast("ushort").copy(interpretation="rgb16"), place
    )


def _see_through(write: Writer) -> Writer:
    return lambda image, place: write(image.bandjoin(200), place)


# No encoder of HEIC is at hand.
WRITERS: dict[str, Writer] = {
    "AVIF": _by_pillow(".avif", speed=10),
    "AVIF with alpha": _see_through(_by_pillow(".avif", speed=10)),
    "BMP": _by_pillow(".bmp"),
    "interlaced PNG": _by_vips(".png", interlace=True, compression=1),
    "interlaced PNG, 16 bits": _sixteen_bits(_by_vips(".png", interlace=True, compression=1)),
    "lossless WebP": _by_vips(".webp", lossless=True, effort=0),
    "TIFF, 16 bits": _sixteen_bits(_by_vips(".tif")),
}


def write_pictures(folder: Path, *, count: int, size: Size, write: Writer) -> None:
    """Write distinct pictures of another format."""
    folder.mkdir(parents=True, exist_ok=True)
    scene = _scene(size)
    for number in range(count):
        write(scene.wrap(x=number * 37, y=number * 11), folder / f"IMG_{number:04}")


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
