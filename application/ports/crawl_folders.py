"""Reads what a crawl must know about a storage config."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID
from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlFolder:
    """One folder of originals: where it is, and in which zone its undated files were made."""

    storage_config_id: UUID
    root: bytes
    zone: ZoneInfo
    others: Sequence[str] = ()
    """The folders of all other configs, as they were registered."""
    missing_allowed_at: datetime | None = None
    """When an admin last allowed that most or all of it is missing; None: not, or used up."""


class CrawlFolders(Protocol):
    """The storage configs as the crawl sees them."""

    @abstractmethod
    def read(self, storage_config_id: UUID) -> CrawlFolder:
        """The folder; raises NotFound where the config is gone, and DatabaseUnavailable."""
