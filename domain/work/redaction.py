"""Errors that an admin may read: an exception's type and message without any path or file name."""

import re
from collections.abc import Iterable
from typing import Final

from domain.work.limits import cut_error

PATH: Final = "<path>"
_QUOTED: Final = re.compile(r"(['\"`])(?:(?!\1).)*[/\\](?:(?!\1).)*\1")
_ABSOLUTE: Final = re.compile(r"(?<![\w/.>])/[^\s'\"`,;]+")
_RELATIVE: Final = re.compile(r"[^\s'\"`,;(]+/[^\s'\"`,;)]+")
_MEDIA_NAME: Final = re.compile(
    r"[^\s'\"`,;(/]+\.(?:jpe?g|png|gif|webp|heic|heif|avif|tiff?|bmp|mov|mp4|m4v|avi|mkv|wmv|webm)\b",
    re.IGNORECASE,
)


def describe_error(type_name: str, message: str, roots: Iterable[str] = ()) -> str:
    """`Type: message`, redacted and of a size that can be stored.

    `roots` are the folders below which media lie; what follows one on its line is all a path.
    """
    clean = redact(cut_error(message), roots).strip()  # cut first: patterns cost time
    return cut_error(f"{type_name}: {clean}" if clean else type_name)


def redact(text: str, roots: Iterable[str] = ()) -> str:
    """The text with paths, and names that look like media, replaced by `<path>`.

    It rather takes a word too many than leave a name: the whole text is in the log.
    """
    text = _QUOTED.sub(PATH, text)
    for root in filter(None, roots):
        text = re.sub(re.escape(root.rstrip("/")) + r"/[^\n'\"`]*", PATH, text)
    for pattern in (_ABSOLUTE, _RELATIVE, _MEDIA_NAME):
        text = pattern.sub(PATH, text)
    return text
