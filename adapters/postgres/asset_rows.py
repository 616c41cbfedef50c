"""Assets as parameters of the ledger's statements."""

from datetime import timedelta
from typing import Final

from domain.library.asset import AssetMetadata, DevelopedAsset
from domain.library.capture_date import CaptureDate

NO_DATE: Final[dict[str, object]] = {
    "captured_at": None,
    "capture_offset_seconds": None,
    "capture_source": None,
    "is_estimated": False,
    "capture_year": None,
    "capture_month": None,
    "capture_day": None,
}


def asset_row(asset: DevelopedAsset) -> dict[str, object]:
    return {
        "asset_id": asset.asset_id,
        "media_type": asset.media_type,
        "format": asset.format,
        "content_size": asset.content.size,
        "content_hash": asset.content.xxh64,
        "content_identifier": asset.metadata.content_identifier,
        "width": asset.rendition.width,
        "height": asset.rendition.height,
        "blurhash": asset.rendition.blurhash,
    }


def metadata_row(asset: DevelopedAsset) -> dict[str, object]:
    metadata, orientation = asset.metadata, asset.rendition.orientation
    return {
        "asset_id": asset.asset_id,
        **_date(metadata.captured),
        **_place(metadata),
        "rotation_degrees": orientation.degrees,
        "is_mirrored": orientation.is_mirrored,
        "make": metadata.make,
        "model": metadata.model,
        "lens": metadata.lens,
        "duration_seconds": metadata.duration_seconds,
    }


def proxy_rows(asset: DevelopedAsset) -> list[dict[str, object]]:
    return [
        {
            "asset_id": asset.asset_id,
            "kind": proxy.kind,
            "width": proxy.width,
            "height": proxy.height,
            "bytes": len(proxy.jpeg),
        }
        for proxy in asset.rendition.proxies
    ]


def _place(metadata: AssetMetadata) -> dict[str, object]:
    location = metadata.location
    return {
        "latitude": location and location.latitude,
        "longitude": location and location.longitude,
    }


def _date(captured: CaptureDate | None) -> dict[str, object]:
    if captured is None:
        return NO_DATE
    return {
        "captured_at": captured.local,
        "capture_offset_seconds": _seconds(captured.offset),
        "capture_source": captured.source,
        "is_estimated": captured.is_estimated,
        "capture_year": captured.local.year,
        "capture_month": captured.local.month,
        "capture_day": captured.local.day,
    }


def _seconds(offset: timedelta | None) -> int | None:
    return None if offset is None else int(offset.total_seconds())
