"""Makes a small library to look at: 24 pictures whose cameras say when they were taken."""

import colorsys
from datetime import date, datetime
from pathlib import Path

from PIL import ExifTags, Image, ImageDraw, ImageOps

YEARS = 6
SIZE = (1600, 1200)
# Besides today's day of the year, so that there is something to remember at once.
DAYS = ((2, 14, 9), (7, 1, 15), (12, 24, 18))


def make_sample_library(folder: Path, today: date) -> int:
    """Write the pictures that are not there yet; how many there are in all."""
    moments = [moment for back in range(1, YEARS + 1) for moment in _moments(today, back)]
    for number, moment in enumerate(moments):
        path = folder / str(moment.year) / f"IMG_{moment:%Y%m%d_%H%M%S}.jpg"
        if not path.exists():
            _write(path, moment, hue=number / len(moments))
    return len(moments)


def _moments(today: date, years_back: int) -> list[datetime]:
    year = today.year - years_back
    # The 29th of February has no match in most years; the day before has.
    same_day = datetime(year, today.month, min(today.day, 28), 12, years_back)  # noqa: DTZ001
    fixed = [datetime(year, month, day, hour, 30) for month, day, hour in DAYS]  # noqa: DTZ001
    return [same_day, *fixed]


def _write(path: Path, moment: datetime, hue: float) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    _picture(moment, hue).save(partial, "JPEG", quality=85, exif=_exif(moment))
    partial.rename(path)


def _picture(moment: datetime, hue: float) -> Image.Image:
    picture = Image.linear_gradient("L").resize(SIZE)
    dark, light = (_colour(hue, value) for value in (0.25, 0.95))
    coloured = ImageOps.colorize(picture, dark, light)
    draw = ImageDraw.Draw(coloured)
    draw.ellipse((1100, 150, 1400, 450), fill=_colour(hue + 0.5, 1.0))
    draw.text((120, 950), f"{moment:%d %B %Y}", fill="white", font_size=110)
    return coloured


def _colour(hue: float, value: float) -> tuple[int, int, int]:
    red, green, blue = colorsys.hsv_to_rgb(hue % 1, 0.6, value)
    return (int(red * 255), int(green * 255), int(blue * 255))


def _exif(moment: datetime) -> Image.Exif:
    exif = Image.Exif()
    exif[ExifTags.Base.Make] = "Anichron"
    exif[ExifTags.Base.Model] = "Sample"
    camera = exif.get_ifd(ExifTags.IFD.Exif)
    camera[ExifTags.Base.DateTimeOriginal] = f"{moment:%Y:%m:%d %H:%M:%S}"
    return exif
