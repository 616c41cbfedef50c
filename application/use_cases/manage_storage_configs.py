"""Registers, lists, changes and deletes the folders of originals."""

from dataclasses import dataclass
from uuid import UUID

from application.ports.page import Page, PageRequest
from application.ports.storage_configs import (
    NewStorageConfig,
    StorageConfigChange,
    StorageConfigs,
)
from domain.library.storage_config import StorageConfig, checked_root_path, checked_time_zone


@dataclass(frozen=True, slots=True, kw_only=True)
class AddStorageConfig:
    """Registers a folder; its dates without a zone are read in the host's unless told."""

    storage_configs: StorageConfigs
    host_time_zone: str

    def __call__(self, *, user_id: UUID, root_path: str, time_zone: str | None) -> StorageConfig:
        """InvalidInput names the field that breaks a rule; FolderTaken when folders overlap."""
        zone = self.host_time_zone if time_zone is None else time_zone
        return self.storage_configs.add(
            NewStorageConfig(
                user_id=user_id,
                root_path=checked_root_path(root_path),
                time_zone=checked_time_zone(zone),
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ListStorageConfigs:
    """Shows one page of the storage configs of all users."""

    storage_configs: StorageConfigs

    def __call__(self, request: PageRequest) -> Page[StorageConfig]:
        return self.storage_configs.page(request)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListOwnStorageConfigs:
    """Shows one page of one user's storage configs."""

    storage_configs: StorageConfigs

    def __call__(self, owner: UUID, request: PageRequest) -> Page[StorageConfig]:
        return self.storage_configs.page(request, owner)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeStorageConfig:
    """Changes a config's time zone or (de)activates it."""

    storage_configs: StorageConfigs

    def __call__(self, config_id: UUID, change: StorageConfigChange) -> StorageConfig:
        """InvalidInput; NotFound."""
        if change.time_zone is not None:
            checked_time_zone(change.time_zone)
        return self.storage_configs.change(config_id, change)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveStorageConfig:
    """Deletes a config with its items and assets; a run in progress is fenced off."""

    storage_configs: StorageConfigs

    def __call__(self, config_id: UUID) -> None:
        """NotFound."""
        self.storage_configs.remove(config_id)
