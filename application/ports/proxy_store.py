"""Keeps proxies: files that the Worker may write, in one folder per asset."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from domain.library.proxy import Proxy


class ProxyStore(Protocol):
    """Each file appears whole or not at all. Every method may be repeated."""

    @abstractmethod
    def write(self, asset_id: UUID, proxies: Sequence[Proxy]) -> None:
        """Write or replace the asset's proxies, each beside its place and then renamed."""

    @abstractmethod
    def tidy(self, asset_id: UUID) -> None:
        """Remove what a crash left half written in the asset's folder; keep its proxies."""

    @abstractmethod
    def discard(self, asset_id: UUID) -> None:
        """Remove the asset's folder with all that is in it."""
