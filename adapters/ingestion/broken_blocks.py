"""What Pillow and libheif raise for files that are not what they say."""

import struct
from typing import Final

from PIL import Image

BROKEN: Final = (
    OSError,
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    SyntaxError,
    EOFError,
    RuntimeError,
    NotImplementedError,
    struct.error,
    OverflowError,
    ZeroDivisionError,
    Image.DecompressionBombError,
)
