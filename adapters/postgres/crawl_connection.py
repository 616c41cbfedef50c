"""The connection of one crawl, and the schema in which its listing lives.

Not temporary tables: those hang on a session, and behind a pooler each transaction may have
another one. The schema is named for the attempt, so no two attempts share it.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import RLock
from typing import Final
from uuid import UUID

import psycopg
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from adapters.postgres.claim_proof import ProofLock, prove_claim
from adapters.postgres.connections import named_errors, outage_of, sqlstate_of
from domain.errors import DatabaseUnavailable, DomainError
from domain.work.attempt import AttemptTag

# No commit waits for the disk: what a broken machine forgets, the crawl that follows finds again;
# and the item's outcome, which comes later and waits, takes all of the crawl's commits with it.
_FOR_ONE_TRANSACTION: Final = """
SELECT set_config('search_path', '{schema}, ' || current_setting('search_path'), true),
       set_config('synchronous_commit', 'off', true)
"""
_CREATE: Final = text("SELECT open_crawl_schema(:schema)")
_DROP: Final = text("SELECT drop_crawl_schema(:schema)")
# Of attempts that died: nobody else removes what they left.
_LEFT_BEHIND: Final = text("""
SELECT nspname FROM pg_namespace
WHERE nspname ~ '^crawl_[0-9a-f]{32}_[0-9]+$' AND NOT EXISTS (
    SELECT FROM work_items
    WHERE status = 'Running' AND 'crawl_' || replace(id::text, '-', '') || '_' || attempt = nspname
)
""")
# A table that somebody still holds is left to the next crawl.
_DO_NOT_WAIT: Final = text("SET LOCAL lock_timeout = '200ms'")
LOG: Final = logging.getLogger(__name__)
WAIT_FOR_THE_DISK: Final = text("SET LOCAL synchronous_commit = on")


class StatementRefused(DomainError):
    """The database took a statement of the crawl for wrong. It names no file."""

    def __init__(self, sqlstate: str | None) -> None:
        super().__init__(f"the database refused a statement of the crawl (SQLSTATE {sqlstate})")


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlConnection:
    """Threads take turns on it: decoding is what they do at the same time."""

    connection: Connection
    storage_config_id: UUID
    tag: AttemptTag
    _turn: RLock = field(default_factory=RLock)

    @contextmanager
    def workspace(self) -> Iterator[None]:
        """The schema of this attempt, from now until the block ends; raises ClaimLost."""
        self._clear_up()
        with self.proven() as connection:
            connection.execute(_CREATE, {"schema": self._schema})
        try:
            yield
        finally:
            self._drop(self._schema)

    def _clear_up(self) -> None:
        with self.transaction() as connection:
            found = list(connection.execute(_LEFT_BEHIND).scalars())
        for schema in found:
            self._drop(schema)

    def _drop(self, schema: str) -> None:
        try:
            with self.transaction() as connection:
                connection.execute(_DO_NOT_WAIT)
                connection.execute(_DROP, {"schema": schema})
        except (DatabaseUnavailable, StatementRefused):
            LOG.warning("the tables of a crawl are left to the next one to remove")

    @property
    def _schema(self) -> str:
        return f"crawl_{self.tag.item_id.hex}_{self.tag.attempt}"

    @contextmanager
    def proven(self, lock: ProofLock = ProofLock.SHARED_WITH_BEATS) -> Iterator[Connection]:
        """One transaction that holds the claim until its end; raises ClaimLost."""
        with self.transaction() as connection:
            prove_claim(connection, self.tag, lock)
            yield connection

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """One transaction that changes nothing but this crawl's own listing.

        An outage is DatabaseUnavailable, any other error of the database StatementRefused.
        """
        with self._turn, _without_names(), self.connection.begin():
            self.connection.execute(text(_FOR_ONE_TRANSACTION.format(schema=self._schema)))
            yield self.connection

    @property
    def scope(self) -> dict[str, object]:
        """The parameters that almost every statement takes."""
        return {
            "config": self.storage_config_id,
            "item": self.tag.item_id,
            "attempt": self.tag.attempt,
        }


@contextmanager
def _without_names() -> Iterator[None]:
    """The driver's own words hold parameters and rows, and so the name of the file in hand."""
    try:
        with named_errors():
            yield
    except psycopg.Error as error:  # of a COPY, which goes past SQLAlchemy
        raise outage_of(error) or StatementRefused(error.sqlstate) from error
    except DBAPIError as error:
        raise StatementRefused(sqlstate_of(error)) from error
