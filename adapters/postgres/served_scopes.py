"""The active storage configs of one user or of everyone."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import Engine, select
from typing_extensions import override

from adapters.postgres.connections import single_statement
from adapters.postgres.logins import has_login
from adapters.postgres.tables import STORAGE_CONFIGS, USERS
from application.ports.served_scopes import ServedScopes

_ACTIVE = (
    select(STORAGE_CONFIGS.c.id)
    .join(USERS, USERS.c.id == STORAGE_CONFIGS.c.user_id)
    .where(STORAGE_CONFIGS.c.is_active, ~USERS.c.is_disabled)
    .order_by(STORAGE_CONFIGS.c.id)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresServedScopes(ServedScopes):
    engine: Engine

    @override
    def user_named(self, login: str) -> UUID | None:
        query = select(USERS.c.id).where(has_login(login))
        with single_statement(self.engine) as connection:
            return connection.execute(query).scalar_one_or_none()

    @override
    def active(self, user_id: UUID | None) -> Sequence[UUID]:
        mine = _ACTIVE if user_id is None else _ACTIVE.where(STORAGE_CONFIGS.c.user_id == user_id)
        with single_statement(self.engine) as connection:
            return list(connection.execute(mine).scalars())
