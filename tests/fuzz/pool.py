"""The whole files that are damaged: small ones made here, and the corpus where it is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from typing import Any, Final

from PIL import Image

from domain.library.media_type import HEAD_BYTES, MediaFormat, format_of
from tests.corpus import CORPUS
from tests.crawl.heic import exif_block, heic
from tests.crawl.pictures import exif
from tests.crawl.videos import video


@dataclass(frozen=True, slots=True)
class WholeFile:
    name: str
    content: bytes


Pool = Mapping[MediaFormat, Sequence[WholeFile]]

EXIF: Final = exif(
    base={0x010F: "Maker", 0x0110: "Model", 0x0112: 6},
    details={0x9003: "2021:03:04 05:06:07", 0x9291: "5", 0x9011: "+09:30", 0xA434: "Lens"},
    gps={1: "N", 2: (51.0, 30.0, 0.0), 3: "W", 4: (0.0, 30.0, 0.0)},
)


def _picture() -> Image.Image:
    """Detail everywhere, so that its codes fill the file."""
    wide = Image.radial_gradient("L").resize((96, 64))
    return Image.merge("RGB", (wide, wide.rotate(90), wide.rotate(180)))


def _by_pillow(kind: str, **options: Any) -> Callable[[], bytes]:
    def make() -> bytes:
        out = BytesIO()
        _picture().save(out, kind, **options)
        return out.getvalue()

    return make


def _animation() -> bytes:
    out = BytesIO()
    frames = [_picture().rotate(angle) for angle in (0, 90, 180)]
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:])
    return out.getvalue()


def _heic() -> bytes:
    block = Image.Exif()
    block.load(EXIF)
    return heic(exif=exif_block(block), quarter_turns=1)


# Another format is another line.
MAKERS: Final[Mapping[MediaFormat, Mapping[str, Callable[[], bytes]]]] = {
    MediaFormat.JPEG: {
        "baseline.jpg": _by_pillow("JPEG", exif=EXIF),
        "progressive.jpg": _by_pillow("JPEG", progressive=True, exif=EXIF),
    },
    MediaFormat.PNG: {"plain.png": _by_pillow("PNG", exif=EXIF)},
    MediaFormat.WEBP: {
        "lossy.webp": _by_pillow("WEBP", exif=EXIF),
        "lossless.webp": _by_pillow("WEBP", lossless=True),
    },
    MediaFormat.GIF: {"animation.gif": _animation},
    MediaFormat.TIFF: {
        "plain.tif": _by_pillow("TIFF"),
        "lzw.tif": _by_pillow("TIFF", compression="tiff_lzw"),
    },
    MediaFormat.BMP: {"plain.bmp": _by_pillow("BMP")},
    MediaFormat.AVIF: {"plain.avif": _by_pillow("AVIF", exif=EXIF)},
    MediaFormat.HEIC: {"plain.heic": _heic},
    MediaFormat.MP4: {"plain.mp4": lambda: video("mp4")},
    MediaFormat.QUICKTIME: {"turned.mov": lambda: video("mov", turned=90)},
    MediaFormat.AVI: {"plain.avi": lambda: video("avi")},
    MediaFormat.MATROSKA: {"plain.webm": lambda: video("webm")},
    MediaFormat.ASF: {"plain.wmv": lambda: video("asf")},
}


def whole_files() -> Pool:
    """By the format that their content shows; the same on each machine that has the corpus."""
    pool = {
        media_format: [WholeFile(name, make()) for name, make in makers.items()]
        for media_format, makers in MAKERS.items()
    }
    for path in sorted(CORPUS.glob("*/*")):
        content = path.read_bytes()
        media_format = format_of(content[:HEAD_BYTES])
        if media_format is not None:
            pool[media_format].append(WholeFile(path.name, content))
    return pool


def digest(pool: Pool) -> str:
    """A seed makes the same file out of the same pool only."""
    whole = sha256()
    for media_format in sorted(pool):
        for file in pool[media_format]:
            whole.update(sha256(file.content).digest())
    return whole.hexdigest()[:12]
