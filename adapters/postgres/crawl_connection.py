"""The connection of one crawl: the listing lives in its temporary tables."""

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
from adapters.postgres.connections import named_errors, sqlstate_of
from domain.errors import DatabaseUnavailable, DomainError
from domain.work.attempt import AttemptTag

# Memory for the listing, of which a hundred thousand paths take ten megabytes. And no commit waits
# for the disk: what a broken machine forgets, the crawl that follows finds again; and the item's
# outcome, which comes later and waits, takes all of the crawl's commits to the disk with it.
FOR_ONE_CRAWL: Final = text("""
SET temp_buffers = '64MB';
SET synchronous_commit = off;
""")
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

    def prepare(self) -> None:
        """Set the session up; before anything else."""
        with self.transaction() as connection:
            connection.execute(FOR_ONE_CRAWL)

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
    except psycopg.OperationalError as error:  # of a COPY, which goes past SQLAlchemy
        raise DatabaseUnavailable("the database did not answer as it should") from error
    except psycopg.Error as error:
        raise StatementRefused(error.sqlstate) from error
    except DBAPIError as error:
        raise StatementRefused(sqlstate_of(error)) from error
