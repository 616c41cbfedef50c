"""Keeps the storage configs."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from application.ports.page import Page, PageRequest
from domain.library.storage_config import StorageConfig


@dataclass(frozen=True, slots=True, kw_only=True)
class NewStorageConfig:
    """A folder to register; all values are checked."""

    user_id: UUID
    root_path: str
    time_zone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageConfigChange:
    """What to change; None leaves a value as it is."""

    time_zone: str | None = None
    is_active: bool | None = None


class StorageConfigs(Protocol):
    """The registered folders, each method but `remove` one transaction.

    All raise DatabaseUnavailable.
    """

    @abstractmethod
    def add(self, new: NewStorageConfig) -> StorageConfig:
        """Register the folder, active.

        InvalidInput when there is no such user; FolderTaken when it overlaps another config's
        folder, however many callers race.
        """

    @abstractmethod
    def page(self, request: PageRequest, owner: UUID | None = None) -> Page[StorageConfig]:
        """One page of one user's configs or, with None, of all; the earliest registered first."""

    @abstractmethod
    def find(self, config_id: UUID) -> StorageConfig | None:
        """The config; None: there is none."""

    @abstractmethod
    def change(self, config_id: UUID, change: StorageConfigChange) -> StorageConfig:
        """Change the config and return it as it is now.

        NotFound; Conflict when it is to be active and its removal has begun.
        """

    @abstractmethod
    def remove(self, config_id: UUID) -> None:
        """Delete the config with its work items and assets. NotFound.

        In several transactions: an outage in between leaves it inactive, and a second call goes on.
        """
