"""Proxies: which there are, how large, and where they lie."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from uuid import UUID

from domain.library.orientation import Orientation


class ProxyKind(StrEnum):
    THUMBNAIL = "thumbnail"
    PREVIEW = "preview"


@dataclass(frozen=True, slots=True, kw_only=True)
class Proxy:
    """One encoded proxy: an upright sRGB JPEG without metadata."""

    kind: ProxyKind
    width: int
    height: int
    jpeg: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendition:
    """What one decoding of an original gives."""

    width: int
    """Of the original, as displayed."""
    height: int
    orientation: Orientation
    """How what is stored was turned; upright where the decoder's picture was so already."""
    proxies: tuple[Proxy, ...]
    blurhash: str


_LONGEST_SIDES: Final = {ProxyKind.THUMBNAIL: 300, ProxyKind.PREVIEW: 1920}
_QUALITIES: Final = {ProxyKind.THUMBNAIL: 75, ProxyKind.PREVIEW: 85}
_SHARE: Final = re.compile(b"[0-9a-f]{2}")
_PROXY_FOLDER: Final = re.compile(b"[0-9a-f]{2}/[0-9a-f]{30}")


def longest_side(kind: ProxyKind) -> int:
    """The limit of a proxy's longer side in pixels; smaller originals are not enlarged."""
    return _LONGEST_SIDES[kind]


def jpeg_quality(kind: ProxyKind) -> int:
    """The JPEG quality, 1 to 100."""
    return _QUALITIES[kind]


def proxy_folder(asset_id: UUID) -> str:
    """Where an asset's proxies lie, relative to the proxy path."""
    return f"{asset_id.hex[:2]}/{asset_id.hex[2:]}"


def is_proxy_folder(path: bytes) -> bool:
    """Whether a folder, relative to the proxy path, is an asset's."""
    return _PROXY_FOLDER.fullmatch(path) is not None


def is_among_proxies(path: bytes) -> bool:
    """Whether a path, relative to the proxy path, leads to where only assets' folders lie."""
    return _SHARE.fullmatch(path.partition(b"/")[0]) is not None


def proxy_file_name(kind: ProxyKind) -> str:
    """The file's name in the asset's folder."""
    return f"{kind}.jpg"
