"""How adapters use an engine, and where its errors are given our names."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import psycopg
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from adapters.postgres.engine import is_pooled
from domain.errors import DatabaseLost, DatabaseUnavailable

T = TypeVar("T")

DEADLOCK_DETECTED = "40P01"
SERIALIZATION_FAILURE = "40001"
UNIQUE_VIOLATION = "23505"
FOREIGN_KEY_VIOLATION = "23503"
MOST_TRIES = 8

# Classes of SQLSTATE that speak of the server's state and not of our statement: connection,
# transaction state (read-only, timed out), rollback, resources, object in use, operator, system.
_OUTAGES = ("08", "25", "40", "53", "55", "57", "58")
# Those that end the session, or let none begin: a lost connection, a server that stops or starts.
_ENDS_OF_A_SESSION = ("08", "57P")
_OUTAGE = "the database did not answer as it should"


@contextmanager
def single_statement(engine: Engine) -> Iterator[Connection]:
    """A connection in autocommit: no round trips for BEGIN and COMMIT around one statement.

    Behind a pooler it is a transaction, which is what limits hang on there.
    """
    if is_pooled(engine):
        with one_transaction(engine) as connection:
            yield connection
        return
    with named_errors(), engine.connect() as connection:
        yield connection.execution_options(isolation_level="AUTOCOMMIT")


@contextmanager
def one_transaction(engine: Engine) -> Iterator[Connection]:
    """A connection in a READ COMMITTED transaction that ends with the block."""
    with named_errors(), engine.begin() as connection:
        yield connection


@contextmanager
def one_snapshot(engine: Engine) -> Iterator[Connection]:
    """A connection for reading, all of whose statements see what the first one saw."""
    with named_errors(), engine.connect() as connection:
        connection.execution_options(isolation_level="REPEATABLE READ")
        with connection.begin():
            yield connection


def again_on(sqlstates: tuple[str, ...], attempt: Callable[[], T]) -> T:
    """Call until it gets through, a bounded number of times; the states say "try again"."""
    for _ in range(MOST_TRIES - 1):
        try:
            return attempt()
        except DatabaseUnavailable as error:
            if sqlstate_of(error.__cause__) not in sqlstates:
                raise
        except DBAPIError as error:
            if sqlstate_of(error) not in sqlstates:
                raise
    return attempt()


def sqlstate_of(error: BaseException | None) -> str | None:
    """The SQLSTATE behind an error of SQLAlchemy's, if there is one."""
    original = error.orig if isinstance(error, DBAPIError) else None
    return original.sqlstate if isinstance(original, psycopg.Error) else None


@contextmanager
def named_errors() -> Iterator[None]:
    """DatabaseUnavailable for whatever speaks of the server's state and not of our statement.

    DatabaseLost where the session went with it.
    """
    try:
        yield
    except PoolTimeout as error:
        raise DatabaseUnavailable("no database connection became free in time") from error
    except DBAPIError as error:
        if (outage := outage_of(error)) is not None:
            raise outage from error
        raise


def outage_of(error: DBAPIError | psycopg.Error) -> DatabaseUnavailable | None:
    """Our name for it; None where it speaks of our statement."""
    original = error.orig if isinstance(error, DBAPIError) else error
    state = original.sqlstate if isinstance(original, psycopg.Error) else None
    if state is None:
        is_invalid = isinstance(error, DBAPIError) and error.connection_invalidated
        is_lost = is_invalid or isinstance(original, psycopg.OperationalError)
        return DatabaseLost(_OUTAGE) if is_lost else None
    if state.startswith(_ENDS_OF_A_SESSION):
        return DatabaseLost(_OUTAGE)
    return DatabaseUnavailable(_OUTAGE) if state.startswith(_OUTAGES) else None
