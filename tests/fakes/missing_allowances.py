"""Allowances in memory, beside the table of work."""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from typing_extensions import override

from application.ports.missing_allowances import MissingAllowances
from application.ports.transactions import Transaction
from domain.errors import NotFound
from domain.library.storage_config import ConfigInactive
from tests.fakes.work_table import InMemoryTransaction, InMemoryWorkTable


@dataclass
class InMemoryMissingAllowances(MissingAllowances):
    table: InMemoryWorkTable
    allowed: dict[UUID, datetime] = field(default_factory=dict)
    held: set[UUID] = field(default_factory=set)

    @override
    def hold_crawlable(self, transaction: Transaction, storage_config_id: UUID) -> None:
        assert isinstance(transaction, InMemoryTransaction)
        if storage_config_id not in self.table.configs:
            raise NotFound(f"there is no storage config {storage_config_id}")
        if not self.table.is_active(storage_config_id):
            raise ConfigInactive(storage_config_id)
        self.held.add(storage_config_id)

    @override
    def renew(self, transaction: Transaction, storage_config_id: UUID) -> None:
        assert isinstance(transaction, InMemoryTransaction)
        assert storage_config_id in self.held
        self.allowed[storage_config_id] = self.table.now()
