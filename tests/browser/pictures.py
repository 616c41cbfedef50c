"""Many different photos, made quickly."""

from io import BytesIO
from pathlib import Path

from PIL import Image

SIZE = (1600, 1200)


def write_pictures(folder: Path, many: int) -> None:
    """So many JPEGs that differ in a comment."""
    folder.mkdir(parents=True)
    made = BytesIO()
    Image.effect_mandelbrot(SIZE, (-2.2, -1.4, 1.1, 1.4), 40).convert("RGB").save(made, "JPEG")
    picture = made.getvalue()
    for number in range(many):
        comment = f"picture {number:06}".encode()
        segment = b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment
        (folder / f"{number:06}.jpg").write_bytes(picture[:2] + segment + picture[2:])
