"""The pipeline of one new picture, with no database and no queue around it."""

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4
from zoneinfo import ZoneInfo

from adapters.ingestion.content_hasher import XxhContentHasher
from application.crawling.develop_asset import DevelopAsset
from domain.library.asset import metadata_of
from domain.library.capture_date import Calendar
from domain.library.media_type import HEAD_BYTES, format_of
from domain.library.orientation import orientation_of
from domain.library.proxy import proxy_file_name, proxy_folder


@dataclass(frozen=True, slots=True)
class BareLoop:
    """Read, hash, metadata, develop, write the proxies: what cannot be left out."""

    parts: DevelopAsset
    proxy_path: Path

    def __call__(self, file: Path) -> int:
        """How many proxies were written."""
        calendar = Calendar(zone=ZoneInfo("Europe/Berlin"), now=datetime.now(UTC))
        with file.open("rb") as stream:
            mtime_ns = os.fstat(stream.fileno()).st_mtime_ns
            XxhContentHasher().hash(stream)
            stream.seek(0)
            media_format = format_of(stream.read(HEAD_BYTES))
            assert media_format is not None, file
            raw = self.parts.decoders.metadata.read(stream, media_format)
            metadata_of(raw, mtime_ns, calendar)
            orientation = orientation_of(raw.orientation)
            rendition = self.parts.decoders.developer.develop(stream, media_format, orientation)
        folder = self.proxy_path / proxy_folder(uuid4())
        folder.mkdir(parents=True)
        for proxy in rendition.proxies:
            (folder / proxy_file_name(proxy.kind)).write_bytes(proxy.jpeg)
        return len(rendition.proxies)
