"""Ports' doubles that keep nothing, but look whether the database would take what they get."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from typing_extensions import override

from adapters.postgres.asset_rows import asset_row, metadata_row, proxy_rows
from application.ports.asset_ledger import AssetLedger, Leftover
from application.ports.crawl_listing import ListedChange
from application.ports.proxy_store import PreparedProxies, ProxyStore
from domain.library.asset import DevelopedAsset
from domain.library.proxy import Proxy
from domain.library.resolution import Resolution
from domain.library.signature import Content
from domain.library.verdict import FailReason, SkipReason

LARGEST_INTEGER: Final = 2**31 - 1
LONGEST_TEXT: Final = 200
PROXIES: Final = 2


class NotStorable(AssertionError):
    """The database would have refused the row."""


@dataclass
class ForgetfulPreparedProxies(PreparedProxies):
    @override
    def publish(self) -> None:
        """There is nothing to publish."""

    @override
    def abandon(self) -> None:
        """There is nothing to remove."""


@dataclass
class ForgetfulProxyStore(ProxyStore):
    @override
    def prepare(self, asset_id: UUID, proxies: Sequence[Proxy]) -> PreparedProxies:
        if len(proxies) != PROXIES or not all(each.jpeg.endswith(b"\xff\xd9") for each in proxies):
            raise NotStorable("these are no two whole JPEGs")
        return ForgetfulPreparedProxies()

    @override
    def tidy(self, asset_id: UUID) -> None:
        raise NotImplementedError

    @override
    def discard(self, asset_id: UUID) -> None:
        raise NotImplementedError


@dataclass
class CheckingLedger(AssetLedger):
    refused: list[str] = field(default_factory=list)

    @override
    def record(
        self, change: ListedChange, asset: DevelopedAsset, publish: Callable[[], None]
    ) -> bool:
        for row in (asset_row(asset), metadata_row(asset), *proxy_rows(asset)):
            for name, value in row.items():
                _check(name, value)
        publish()
        return False

    @override
    def skip(self, change: ListedChange, reason: SkipReason, content: Content) -> None:
        self.refused.append(reason)

    @override
    def fail(
        self, change: ListedChange, reason: FailReason, message: str, content: Content
    ) -> None:
        _check("message", message)

    @override
    def leftovers(self) -> Sequence[Leftover]:
        raise NotImplementedError

    @override
    def resolve(self, change: ListedChange, content: Content, new_id: UUID) -> Resolution:
        raise NotImplementedError

    @override
    def call_off(self, change: ListedChange) -> None:
        raise NotImplementedError

    @override
    def report_unreadable(self, change: ListedChange, message: str) -> None:
        raise NotImplementedError


def _check(name: str, value: object) -> None:
    """As the columns' types and checks have it."""
    if isinstance(value, str) and not _is_storable_text(value):
        raise NotStorable(f"{name} is no text that a database takes: {value[:40]!r}")
    if isinstance(value, int) and not -LARGEST_INTEGER <= value <= LARGEST_INTEGER:
        raise NotStorable(f"{name} does not fit: {value}")
    limits = {"latitude": 90, "longitude": 180}
    if name in limits and value is not None and not abs(float(str(value))) <= limits[name]:
        raise NotStorable(f"{name} is out of range: {value}")
    if name in {"width", "height", "bytes"} and not (isinstance(value, int) and value > 0):
        raise NotStorable(f"{name} is nothing: {value}")


def _is_storable_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text and len(text) <= LONGEST_TEXT
