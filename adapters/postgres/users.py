"""Users in PostgreSQL."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import Column, Connection, Engine, Row, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from typing_extensions import override
from uuid_utils.compat import uuid7

from adapters.postgres.config_removal import remove_config
from adapters.postgres.connections import (
    DEADLOCK_DETECTED,
    again_on,
    one_transaction,
    single_statement,
)
from adapters.postgres.locks import Decision, decide_alone
from adapters.postgres.logins import has_login
from adapters.postgres.tables import REFRESH_TOKENS, STORAGE_CONFIGS, USERS
from adapters.postgres.violations import constraint_of
from application.ports.page import Page, PageRequest
from application.ports.users import NewUser, UserChange, Users
from domain.errors import Conflict, NotFound
from domain.identity.user import Credentials, LastAdmin, User

TAKEN = {"users_name_key": "name", "users_email_key": "email"}
COLUMNS: tuple[Column[Any], ...] = (
    USERS.c.id,
    USERS.c.name,
    USERS.c.email,
    USERS.c.is_admin,
    USERS.c.is_disabled,
    USERS.c.created_at,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresUsers(Users):
    """The table `users`."""

    engine: Engine

    @override
    def add(self, new: NewUser) -> User:
        row = insert(USERS).values(
            id=uuid7(),
            name=new.name,
            email=new.email,
            password_hash=new.password_hash,
            is_admin=new.is_admin,
        )
        with one_transaction(self.engine) as connection:
            try:
                return _user(connection.execute(row.returning(*COLUMNS)).one())
            except IntegrityError as error:
                raise _taken(error) from error

    @override
    def find(self, user_id: UUID) -> User | None:
        with single_statement(self.engine) as connection:
            return _find(connection, user_id)

    @override
    def find_many(self, user_ids: frozenset[UUID]) -> dict[UUID, User]:
        wanted = select(*COLUMNS).where(USERS.c.id == func.any(list(user_ids)))
        with single_statement(self.engine) as connection:
            return {row.id: _user(row) for row in connection.execute(wanted)}

    @override
    def find_credentials(self, login: str) -> Credentials | None:
        with single_statement(self.engine) as connection:
            row = connection.execute(
                select(*COLUMNS, USERS.c.password_hash).where(has_login(login))
            ).one_or_none()
        return Credentials(user=_user(row), password_hash=row.password_hash) if row else None

    @override
    def page(self, request: PageRequest) -> Page[User]:
        rows = select(*COLUMNS).order_by(USERS.c.created_at, USERS.c.id)
        with one_transaction(self.engine) as connection:
            total = connection.execute(select(func.count()).select_from(USERS)).scalar_one()
            found = connection.execute(rows.limit(request.size).offset(request.offset()))
            return Page(items=tuple(_user(row) for row in found), total=total)

    @override
    def change(self, user_id: UUID, change: UserChange) -> User:
        return again_on((DEADLOCK_DETECTED,), lambda: self._change(user_id, change))

    @override
    def remove(self, user_id: UUID) -> None:
        for config_id in self._close(user_id):
            remove_config(self.engine, config_id)
        again_on((DEADLOCK_DETECTED,), lambda: self._remove(user_id))

    def _close(self, user_id: UUID) -> Sequence[UUID]:
        """Refuse, or let the user do nothing more; the configs that have to go first."""
        with one_transaction(self.engine) as connection:
            _keep_an_admin(connection, user_id)
            _change(connection, user_id, UserChange(is_disabled=True))
            _revoke_tokens(connection, user_id)
            owned = select(STORAGE_CONFIGS.c.id).where(STORAGE_CONFIGS.c.user_id == user_id)
            return connection.execute(owned).scalars().all()

    def _change(self, user_id: UUID, change: UserChange) -> User:
        with one_transaction(self.engine) as connection:
            if change.is_admin is False or change.is_disabled is True:
                _keep_an_admin(connection, user_id)
            user = _change(connection, user_id, change)
            if change.is_disabled is True or change.password_hash is not None:
                _revoke_tokens(connection, user_id)
            return user

    def _remove(self, user_id: UUID) -> None:
        """Asks once more: enabled again meanwhile, it may be the last admin by now."""
        with one_transaction(self.engine) as connection:
            _keep_an_admin(connection, user_id)
            connection.execute(delete(USERS).where(USERS.c.id == user_id))


def _find(connection: Connection, user_id: UUID) -> User | None:
    row = connection.execute(select(*COLUMNS).where(USERS.c.id == user_id)).one_or_none()
    return _user(row) if row else None


def _keep_an_admin(connection: Connection, leaving: UUID) -> None:
    decide_alone(connection, Decision.WHO_ADMINISTERS)
    admins = select(USERS.c.id).where(USERS.c.is_admin, ~USERS.c.is_disabled).limit(2)
    if connection.execute(admins).scalars().all() == [leaving]:
        raise LastAdmin


def _change(connection: Connection, user_id: UUID, change: UserChange) -> User:
    wanted = {
        USERS.c.name: change.name,
        USERS.c.email: change.email,
        USERS.c.password_hash: change.password_hash,
        USERS.c.is_admin: change.is_admin,
        USERS.c.is_disabled: change.is_disabled,
    }
    values: dict[Any, Any] = {column: new for column, new in wanted.items() if new is not None}
    # The id is set to itself so that a change of nothing is a statement too.
    statement = update(USERS).where(USERS.c.id == user_id).values({USERS.c.id: user_id, **values})
    try:
        row = connection.execute(statement.returning(*COLUMNS)).one_or_none()
    except IntegrityError as error:
        raise _taken(error) from error
    if row is None:
        raise _unknown(user_id)
    return _user(row)


def _revoke_tokens(connection: Connection, user_id: UUID) -> None:
    living = REFRESH_TOKENS.c.revoked_at.is_(None)
    connection.execute(
        update(REFRESH_TOKENS)
        .where(REFRESH_TOKENS.c.user_id == user_id, living)
        .values(revoked_at=func.clock_timestamp())
    )


def _unknown(user_id: UUID) -> NotFound:
    return NotFound(f"there is no user {user_id}")


def _taken(error: IntegrityError) -> Exception:
    field = TAKEN.get(constraint_of(error) or "")
    return Conflict(f"{field}: another user has it") if field else error


def _user(row: Row[*tuple[Any, ...]]) -> User:
    return User(
        id=row.id,
        name=row.name,
        email=row.email,
        is_admin=row.is_admin,
        is_disabled=row.is_disabled,
        created_at=row.created_at,
    )
