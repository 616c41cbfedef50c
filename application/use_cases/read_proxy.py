"""Show the owner of an asset its thumbnail or its preview."""

import hashlib
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from application.ports.own_assets import OwnAssets
from application.ports.proxy_reader import ProxyReader
from domain.errors import NotFound
from domain.library.proxy import ProxyKind

DIGEST_BYTES: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadableProxy:
    """A JPEG, and what tells it from any other state of the same address."""

    jpeg: bytes
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadProxy:
    assets: OwnAssets
    proxies: ProxyReader

    def __call__(self, owner: UUID, asset_id: UUID, kind: ProxyKind) -> ReadableProxy:
        """NotFound alike for what is unknown, deleted, another's or not on disk; ProxyUnreadable.

        The content is asked for first: a proxy is in its place before its rows are, so an old
        picture never gets the version of a new one.
        """
        content = self.assets.content_of(owner, asset_id)
        jpeg = None if content is None else self.proxies.read(asset_id, kind)
        if jpeg is None:
            raise NotFound(f"there is no {kind} of an asset {asset_id}")
        digest = hashlib.blake2b(jpeg, digest_size=DIGEST_BYTES).hexdigest()
        return ReadableProxy(jpeg=jpeg, version=f"{content}-{digest}")
