"""The witness: a second PostgreSQL that no fault touches, for what handlers really did.

Lines in it are stamped by its own clock, whatever the clocks of Workers say.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

import psycopg

from domain.work.attempt import AttemptTag
from tests.chaos.history import LedgerLine

VARIABLE = "CHAOS_WITNESS"
LEDGER = """
CREATE TABLE ledger (
    line    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    item    uuid NOT NULL,
    attempt integer NOT NULL,
    event   text NOT NULL,
    pid     integer NOT NULL,
    at      timestamptz NOT NULL DEFAULT clock_timestamp()
)
"""
_NOTE = "INSERT INTO ledger (item, attempt, event, pid) VALUES (%s, %s, %s, %s)"
_READ = "SELECT line, item, attempt, event, pid, extract(epoch FROM at)::float8 FROM ledger"


@dataclass
class Witness:
    """A connection to the ledger, opened when it is first needed."""

    conninfo: str
    _connection: psycopg.Connection | None = field(default=None, init=False)

    @classmethod
    def of_environment(cls) -> "Witness":
        return cls(os.environ[VARIABLE])

    def note(self, event: str, tag: AttemptTag) -> None:
        """Add a line; it is there when this returns."""
        self._open().execute(_NOTE, [tag.item_id, tag.attempt, event, os.getpid()])

    def make_ledger(self) -> None:
        self._open().execute(LEDGER)

    def last_line(self) -> int:
        """The number of the newest line; 0: there is none."""
        row = self._open().execute("SELECT coalesce(max(line), 0) FROM ledger").fetchone()
        return int(row[0]) if row else 0

    def lines(self) -> Sequence[LedgerLine]:
        """All lines, in their order."""
        rows = self._open().execute(f"{_READ} ORDER BY line").fetchall()
        return [
            LedgerLine(
                line=line, item=UUID(str(item)), attempt=attempt, event=event, pid=pid, at=at
            )
            for line, item, attempt, event, pid, at in rows
        ]

    def _open(self) -> psycopg.Connection:
        if self._connection is None:
            self._connection = psycopg.connect(self.conninfo, autocommit=True, connect_timeout=10)
        return self._connection
