"""Storage configs in PostgreSQL."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Engine, Row, func, insert, select, true, update
from sqlalchemy.exc import IntegrityError
from typing_extensions import override
from uuid_utils.compat import uuid7

from adapters.postgres.config_removal import remove_config
from adapters.postgres.connections import one_transaction, single_statement
from adapters.postgres.locks import Decision, decide_alone
from adapters.postgres.tables import STORAGE_CONFIGS
from adapters.postgres.violations import constraint_of
from application.ports.page import Page, PageRequest
from application.ports.storage_configs import (
    NewStorageConfig,
    StorageConfigChange,
    StorageConfigs,
)
from domain.errors import Conflict, InvalidInput, NotFound
from domain.library.storage_config import FolderTaken, StorageConfig, overlap

OWNER_EXISTS = "storage_configs_user_id_fkey"


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresStorageConfigs(StorageConfigs):
    """The table `storage_configs`."""

    engine: Engine

    @override
    def add(self, new: NewStorageConfig) -> StorageConfig:
        with one_transaction(self.engine) as connection:
            decide_alone(connection, Decision.WHO_HAS_THE_FOLDER)
            _refuse_overlap(connection, new.root_path)
            return _insert(connection, new)

    @override
    def page(self, request: PageRequest, owner: UUID | None = None) -> Page[StorageConfig]:
        table = STORAGE_CONFIGS
        wanted = true() if owner is None else table.c.user_id == owner
        rows = select(table).where(wanted).order_by(table.c.created_at, table.c.id)
        counted = select(func.count()).select_from(table).where(wanted)
        with one_transaction(self.engine) as connection:
            total = connection.execute(counted).scalar_one()
            found = connection.execute(rows.limit(request.size).offset(request.offset()))
            return Page(items=tuple(_config(row) for row in found), total=total)

    @override
    def find(self, config_id: UUID) -> StorageConfig | None:
        wanted = select(STORAGE_CONFIGS).where(STORAGE_CONFIGS.c.id == config_id)
        with single_statement(self.engine) as connection:
            row = connection.execute(wanted).one_or_none()
        return None if row is None else _config(row)

    @override
    def change(self, config_id: UUID, change: StorageConfigChange) -> StorageConfig:
        table = STORAGE_CONFIGS
        values = {
            # coalesce keeps what is not to change, so that a change of nothing is one too
            table.c.time_zone: func.coalesce(change.time_zone, table.c.time_zone),
            table.c.is_active: func.coalesce(change.is_active, table.c.is_active),
        }
        statement = update(table).where(table.c.id == config_id).values(values).returning(table)
        if change.is_active:
            # A crawl would bring in again what is being emptied.
            statement = statement.where(table.c.removal_began_at.is_(None))
        with single_statement(self.engine) as connection:
            row = connection.execute(statement).one_or_none()
        if row is None:
            if self.find(config_id) is not None:
                raise Conflict(f"the storage config {config_id} is being removed")
            raise _unknown(config_id)
        return _config(row)

    @override
    def remove(self, config_id: UUID) -> None:
        if not remove_config(self.engine, config_id):
            raise _unknown(config_id)


def _refuse_overlap(connection: Connection, root_path: str) -> None:
    folders = select(STORAGE_CONFIGS.c.id, STORAGE_CONFIGS.c.root_path)
    for other in connection.execute(folders):
        if overlap(root_path, other.root_path):
            raise FolderTaken(other.id)


def _insert(connection: Connection, new: NewStorageConfig) -> StorageConfig:
    row = insert(STORAGE_CONFIGS).values(
        id=uuid7(), user_id=new.user_id, root_path=new.root_path, time_zone=new.time_zone
    )
    try:
        return _config(connection.execute(row.returning(STORAGE_CONFIGS)).one())
    except IntegrityError as error:
        if constraint_of(error) != OWNER_EXISTS:
            raise
        raise InvalidInput("userId", f"there is no user {new.user_id}") from error


def _unknown(config_id: UUID) -> NotFound:
    return NotFound(f"there is no storage config {config_id}")


def _config(row: Row[Any]) -> StorageConfig:
    return StorageConfig(
        id=row.id,
        user_id=row.user_id,
        root_path=row.root_path,
        time_zone=row.time_zone,
        is_active=row.is_active,
        created_at=row.created_at,
    )
