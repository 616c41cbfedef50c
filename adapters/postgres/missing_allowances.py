"""Allowances in PostgreSQL."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from typing_extensions import override

from adapters.postgres.tables import MISSING_ALLOWANCES, STORAGE_CONFIGS, USERS
from adapters.postgres.transactions import connection_of
from application.ports.missing_allowances import MissingAllowances
from application.ports.transactions import Transaction
from domain.errors import NotFound
from domain.library.storage_config import ConfigInactive

LEAST_STEP: Final = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class PostgresMissingAllowances(MissingAllowances):
    """The table `missing_allowances`; the transaction brings the connection."""

    @override
    def hold_crawlable(self, transaction: Transaction, storage_config_id: UUID) -> None:
        # The config before its items, as whoever settles or deletes them takes it.
        config = (
            select(STORAGE_CONFIGS.c.is_active, USERS.c.is_disabled)
            .join_from(STORAGE_CONFIGS, USERS, USERS.c.id == STORAGE_CONFIGS.c.user_id)
            .where(STORAGE_CONFIGS.c.id == storage_config_id)
            .with_for_update(read=True, key_share=True, of=STORAGE_CONFIGS)
        )
        row = connection_of(transaction).execute(config).one_or_none()
        if row is None:
            raise NotFound(f"there is no storage config {storage_config_id}")
        if row.is_disabled or not row.is_active:
            raise ConfigInactive(storage_config_id)

    @override
    def renew(self, transaction: Transaction, storage_config_id: UUID) -> None:
        now = func.clock_timestamp()
        new = insert(MISSING_ALLOWANCES).values(storage_config_id=storage_config_id, allowed_at=now)
        # Never the same instant twice: a crawl that has read the old one must not take the new.
        later = func.greatest(now, MISSING_ALLOWANCES.c.allowed_at + LEAST_STEP)
        connection_of(transaction).execute(
            new.on_conflict_do_update(
                index_elements=[MISSING_ALLOWANCES.c.storage_config_id],
                set_={"allowed_at": later},
            )
        )
