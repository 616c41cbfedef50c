"""Storage configs in memory."""

from dataclasses import dataclass, replace
from uuid import UUID, uuid4

from typing_extensions import override

from application.ports.page import Page, PageRequest
from application.ports.storage_configs import (
    NewStorageConfig,
    StorageConfigChange,
    StorageConfigs,
)
from domain.errors import InvalidInput, NotFound
from domain.library.storage_config import FolderTaken, StorageConfig, overlap
from tests.fakes.accounts import Accounts


@dataclass
class InMemoryStorageConfigs(StorageConfigs):
    accounts: Accounts

    @override
    def add(self, new: NewStorageConfig) -> StorageConfig:
        for other in self.accounts.configs.values():
            if overlap(new.root_path, other.root_path):
                raise FolderTaken(other.id)
        if new.user_id not in self.accounts.users:
            raise InvalidInput("userId", f"there is no user {new.user_id}")
        config = StorageConfig(
            id=uuid4(),
            user_id=new.user_id,
            root_path=new.root_path,
            time_zone=new.time_zone,
            is_active=True,
            created_at=self.accounts.clock.now(),
        )
        self.accounts.configs[config.id] = config
        return config

    @override
    def page(self, request: PageRequest, owner: UUID | None = None) -> Page[StorageConfig]:
        rows = tuple(
            config for config in self.accounts.configs.values() if owner in {None, config.user_id}
        )
        first = request.offset()
        return Page(items=rows[first : first + request.size], total=len(rows))

    @override
    def find(self, config_id: UUID) -> StorageConfig | None:
        return self.accounts.configs.get(config_id)

    @override
    def change(self, config_id: UUID, change: StorageConfigChange) -> StorageConfig:
        old = self._get(config_id)
        new = replace(
            old,
            time_zone=old.time_zone if change.time_zone is None else change.time_zone,
            is_active=old.is_active if change.is_active is None else change.is_active,
        )
        self.accounts.configs[config_id] = new
        return new

    @override
    def remove(self, config_id: UUID) -> None:
        self._get(config_id)
        del self.accounts.configs[config_id]

    def _get(self, config_id: UUID) -> StorageConfig:
        config = self.accounts.configs.get(config_id)
        if config is None:
            raise NotFound(f"there is no storage config {config_id}")
        return config
