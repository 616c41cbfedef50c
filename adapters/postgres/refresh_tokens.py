"""Refresh tokens in PostgreSQL.

Whatever decides over a user's tokens first locks the user's row, so that exchanges, revocations
and the disabling of the user come one after the other, each seeing what the one before wrote.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Engine, Row, func, insert, select, update
from typing_extensions import override
from uuid_utils.compat import uuid7

from adapters.postgres.connections import one_transaction
from adapters.postgres.tables import REFRESH_TOKENS, USERS
from application.ports.refresh_tokens import RefreshTokens


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresRefreshTokens(RefreshTokens):
    """The table `refresh_tokens`."""

    engine: Engine

    @override
    def start_family(self, user_id: UUID, digest: bytes, lifetime: timedelta) -> bool:
        enabled = select(USERS.c.id).where(USERS.c.id == user_id, ~USERS.c.is_disabled)
        with one_transaction(self.engine) as connection:
            if connection.execute(enabled.with_for_update(read=True)).first() is None:
                return False
            _keep(connection, user_id, uuid7(), digest, lifetime)
            return True

    @override
    def exchange(self, digest: bytes, successor: bytes, lifetime: timedelta) -> UUID | None:
        with one_transaction(self.engine) as connection:
            token = _locked(connection, digest)
            if token is None:
                return None
            if token.used_at is not None:
                _revoke(connection, token.family_id)
                return None
            if token.is_worthless:
                return None
            _use_up(connection, token.id)
            _keep(connection, token.user_id, token.family_id, successor, lifetime)
            user_id: UUID = token.user_id
            return user_id

    @override
    def revoke_family(self, digest: bytes) -> None:
        with one_transaction(self.engine) as connection:
            token = _locked(connection, digest)
            if token is not None:
                _revoke(connection, token.family_id)


def _locked(connection: Connection, digest: bytes) -> Row[Any] | None:
    """The token as it is once nobody else decides over its user's tokens."""
    owner = select(USERS.c.id).join(REFRESH_TOKENS, REFRESH_TOKENS.c.user_id == USERS.c.id)
    this = REFRESH_TOKENS.c.token_hash == digest
    connection.execute(owner.where(this).with_for_update(of=USERS, key_share=True))
    worthless = (
        REFRESH_TOKENS.c.revoked_at.is_not(None)
        | (REFRESH_TOKENS.c.expires_at <= func.clock_timestamp())
        | USERS.c.is_disabled
    )
    return connection.execute(
        select(REFRESH_TOKENS, worthless.label("is_worthless"))
        .join(USERS, REFRESH_TOKENS.c.user_id == USERS.c.id)
        .where(this)
    ).one_or_none()


def _use_up(connection: Connection, token_id: UUID) -> None:
    connection.execute(
        update(REFRESH_TOKENS)
        .where(REFRESH_TOKENS.c.id == token_id)
        .values(used_at=func.clock_timestamp())
    )


def _keep(
    connection: Connection, user_id: UUID, family_id: UUID, digest: bytes, lifetime: timedelta
) -> None:
    connection.execute(
        insert(REFRESH_TOKENS).values(
            id=uuid7(),
            user_id=user_id,
            family_id=family_id,
            token_hash=digest,
            expires_at=func.clock_timestamp() + lifetime,
        )
    )


def _revoke(connection: Connection, family_id: UUID) -> None:
    living = REFRESH_TOKENS.c.revoked_at.is_(None)
    connection.execute(
        update(REFRESH_TOKENS)
        .where(REFRESH_TOKENS.c.family_id == family_id, living)
        .values(revoked_at=func.clock_timestamp())
    )
