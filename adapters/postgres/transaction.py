"""Connections for one port method, and the one place that tells an outage from a mistake."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from sqlalchemy import Connection, Engine, exc

from domain.errors import DatabaseUnavailable

T = TypeVar("T")
DEADLOCK = "40P01"
# The server ended a session that had waited or worked for too long; psycopg calls these internal.
ENDED_BY_THE_SERVER = frozenset({"25P03", "25P04"})
DEADLOCK_TRIES = 5


@contextmanager
def autocommit(engine: Engine) -> Iterator[Connection]:
    """A connection for single statements: no BEGIN and no COMMIT around them."""
    with (
        outages_told(),
        engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection,
    ):
        yield connection


@contextmanager
def transaction(engine: Engine) -> Iterator[Connection]:
    """A connection whose statements commit together, or not at all."""
    with outages_told(), engine.begin() as connection:
        yield connection


def retried(engine: Engine, work: Callable[[Connection], T]) -> T:
    """Run the work in a transaction of its own; again when a deadlock chose it as the victim."""
    with outages_told():
        for _ in range(DEADLOCK_TRIES - 1):
            try:
                with engine.begin() as connection:
                    return work(connection)
            except exc.DBAPIError as error:
                if sqlstate_of(error) != DEADLOCK:
                    raise
        with engine.begin() as connection:
            return work(connection)


@contextmanager
def outages_told() -> Iterator[None]:
    """Raise DatabaseUnavailable for what is the database's state and not the statement's fault."""
    try:
        yield
    except (exc.OperationalError, exc.InterfaceError, exc.TimeoutError) as error:
        raise DatabaseUnavailable("the database did not answer in time") from error
    except exc.DBAPIError as error:
        if error.connection_invalidated or sqlstate_of(error) in ENDED_BY_THE_SERVER:
            raise DatabaseUnavailable("the database ended the session") from error
        raise


def sqlstate_of(error: exc.DBAPIError) -> str | None:
    """The five characters by which PostgreSQL names the error."""
    return getattr(error.orig, "sqlstate", None)


def constraint_of(error: exc.DBAPIError) -> str | None:
    """The constraint or unique index that was violated."""
    diagnostics = getattr(error.orig, "diag", None)
    return getattr(diagnostics, "constraint_name", None)
