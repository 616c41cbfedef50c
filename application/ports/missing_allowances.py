"""Permissions to take most of a library for missing, each for one crawl."""

from abc import abstractmethod
from typing import Protocol
from uuid import UUID

from application.ports.transactions import Transaction


class MissingAllowances(Protocol):
    """At most one a storage config. A crawl reads it when it begins and uses it up itself."""

    @abstractmethod
    def hold_crawlable(self, transaction: Transaction, storage_config_id: UUID) -> None:
        """Keep the config from being deleted until the commit.

        NotFound; ConfigInactive where no Worker would claim its crawl.
        """

    @abstractmethod
    def renew(self, transaction: Transaction, storage_config_id: UUID) -> None:
        """Write the allowance, or give the one that is there a later instant.

        The config is held, and waits for nobody who waits for this transaction.
        """
