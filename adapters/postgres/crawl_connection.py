"""The connection of one crawl: the listing lives in its temporary tables."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import RLock
from uuid import UUID

from sqlalchemy import Connection

from adapters.postgres.claim_proof import ProofLock, prove_claim
from adapters.postgres.connections import named_errors
from domain.work.attempt import AttemptTag


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlConnection:
    """Threads take turns on it: decoding is what they do at the same time."""

    connection: Connection
    storage_config_id: UUID
    tag: AttemptTag
    _turn: RLock = field(default_factory=RLock)

    @contextmanager
    def proven(self, lock: ProofLock = ProofLock.SHARED_WITH_BEATS) -> Iterator[Connection]:
        """One transaction that holds the claim until its end; raises ClaimLost."""
        with self.transaction() as connection:
            prove_claim(connection, self.tag, lock)
            yield connection

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """One transaction that changes nothing but this crawl's own listing.

        An outage is DatabaseUnavailable: the driver's own words name the file in hand.
        """
        with self._turn, named_errors(), self.connection.begin():
            yield self.connection

    @property
    def scope(self) -> dict[str, object]:
        """The parameters that almost every statement takes."""
        return {
            "config": self.storage_config_id,
            "item": self.tag.item_id,
            "attempt": self.tag.attempt,
        }
