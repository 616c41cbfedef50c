"""A caller's transaction on PostgreSQL."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass

from sqlalchemy import Connection, Engine
from typing_extensions import override

from adapters.postgres.connections import one_transaction
from application.ports.transactions import Transaction, Transactions


@dataclass(frozen=True, slots=True)
class PostgresTransaction(Transaction):
    connection: Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresTransactions(Transactions):
    engine: Engine

    @override
    def begin(self) -> AbstractContextManager[Transaction]:
        return self._begin()

    @contextmanager
    def _begin(self) -> Iterator[Transaction]:
        with one_transaction(self.engine) as connection:
            yield PostgresTransaction(connection)


def connection_of(transaction: Transaction) -> Connection:
    """The connection behind a transaction that PostgresTransactions began."""
    if not isinstance(transaction, PostgresTransaction):
        raise TypeError(f"not a transaction of PostgreSQL: {type(transaction).__name__}")
    return transaction.connection
