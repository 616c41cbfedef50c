"""Keeps proxies: files that the Worker may write, in one folder per asset."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from domain.errors import DomainError
from domain.library.proxy import Proxy


class ProxiesUnwritable(DomainError):
    """The proxies cannot be written or removed; this is not one file's fault. It names no path."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the proxies cannot be written: {why}")


class PreparedProxies(Protocol):
    """An asset's proxies, written beside their places and seen by nobody yet."""

    @abstractmethod
    def publish(self) -> None:
        """Put each file in its place, whole; raises ProxiesUnwritable.

        Only for a run that is proven to hold its claim until this returns: it replaces what is
        there, whoever wrote it.
        """

    @abstractmethod
    def abandon(self) -> None:
        """Remove what was not published, and the asset's folder where that leaves it empty.

        What was published stays. Never raises for a file that cannot be removed.
        """


class ProxyStore(Protocol):
    """Each file appears whole or not at all. Every method may be repeated."""

    @abstractmethod
    def prepare(self, asset_id: UUID, proxies: Sequence[Proxy]) -> PreparedProxies:
        """Write the proxies beside their places, under names that no other attempt shares.

        Raises ProxiesUnwritable, and leaves nothing then.
        """

    @abstractmethod
    def tidy(self, asset_id: UUID) -> None:
        """Remove what was prepared and not published in the asset's folder; keep its proxies.

        Raises ProxiesUnwritable.
        """

    @abstractmethod
    def discard(self, asset_id: UUID) -> None:
        """Remove the asset's folder with all that is in it; raises ProxiesUnwritable."""
