"""Deletes expired refresh tokens by the index on expires_at."""

from dataclasses import dataclass

from sqlalchemy import Engine, bindparam, delete, func, select
from typing_extensions import override

from adapters.postgres.claim_proof import prove_claim
from adapters.postgres.connections import one_transaction
from adapters.postgres.tables import REFRESH_TOKENS
from application.ports.expired_token_purger import ExpiredTokenPurger
from domain.work.attempt import AttemptTag

_TOKEN = REFRESH_TOKENS.c
_EXPIRED = (
    select(_TOKEN.id)
    .where(_TOKEN.expires_at < func.clock_timestamp())
    .order_by(_TOKEN.expires_at)
    .limit(bindparam("most"))
)
_DELETE = delete(REFRESH_TOKENS).where(_TOKEN.id.in_(_EXPIRED))


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresExpiredTokenPurger(ExpiredTokenPurger):
    engine: Engine

    @override
    def purge(self, tag: AttemptTag, *, most: int) -> int:
        with one_transaction(self.engine) as connection:
            prove_claim(connection, tag)
            return connection.execute(_DELETE, {"most": most}).rowcount
