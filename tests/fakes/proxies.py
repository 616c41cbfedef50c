"""Assets and proxies in memory, as the API reads them."""

from dataclasses import dataclass, field
from uuid import UUID

from typing_extensions import override

from application.ports.own_assets import OwnAssets
from application.ports.proxy_reader import ProxyReader
from domain.library.proxy import ProxyKind


@dataclass
class InMemoryOwnAssets(OwnAssets):
    contents: dict[tuple[UUID, UUID], str] = field(default_factory=dict)
    """By owner and asset."""

    @override
    def content_of(self, owner: UUID, asset_id: UUID) -> str | None:
        return self.contents.get((owner, asset_id))


@dataclass
class InMemoryProxyReader(ProxyReader):
    files: dict[tuple[UUID, ProxyKind], bytes] = field(default_factory=dict)
    asked: list[UUID] = field(default_factory=list)

    @override
    def read(self, asset_id: UUID, kind: ProxyKind) -> bytes | None:
        self.asked.append(asset_id)
        return self.files.get((asset_id, kind))
