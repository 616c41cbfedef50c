"""Reads the proxies that Workers have written."""

from abc import abstractmethod
from typing import Protocol
from uuid import UUID

from domain.errors import DomainError
from domain.library.proxy import ProxyKind


class ProxyUnreadable(DomainError):
    """The proxy may be there and cannot be read; the operator must look. It names no path."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the proxies cannot be read: {why}")


class ProxyReader(Protocol):
    """Finds a proxy by whose it is and by its kind, and by nothing else."""

    @abstractmethod
    def read(self, asset_id: UUID, kind: ProxyKind) -> bytes | None:
        """The whole JPEG; None where there is none. Raises ProxyUnreadable.

        What is no regular file, lies behind a link or is larger than any proxy is none.
        """
