"""Proxies: which there are, how large, and where they lie."""

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


def longest_side(kind: ProxyKind) -> int:
    """The limit of a proxy's longer side in pixels; smaller originals are not enlarged."""
    return _LONGEST_SIDES[kind]


def jpeg_quality(kind: ProxyKind) -> int:
    """The JPEG quality, 1 to 100."""
    return _QUALITIES[kind]


def proxy_folder(asset_id: UUID) -> str:
    """Where an asset's proxies lie, relative to the proxy path."""
    return f"{asset_id.hex[:2]}/{asset_id.hex[2:]}"


def proxy_file_name(kind: ProxyKind) -> str:
    """The file's name in the asset's folder."""
    return f"{kind}.jpg"
