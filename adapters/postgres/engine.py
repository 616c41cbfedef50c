"""Engines: how a host's connections behave."""

import json
from dataclasses import dataclass

from psycopg.conninfo import make_conninfo
from psycopg.types.json import set_json_loads
from sqlalchemy import Engine, create_engine
from sqlalchemy.engine import URL

from adapters.postgres.deadline import DeadlineConnection, connection_class

MILLISECONDS = 1_000
MOST_DIGITS = 300
TRANSACTION_TIMEOUT_SINCE = 170_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresAddress:
    """Where the server is and who we are there; `host` may be a socket directory."""

    host: str
    port: int
    dbname: str
    user: str
    password: str | None = None

    def conninfo(self) -> str:
        """The connection string as libpq reads it."""
        return make_conninfo(
            host=self.host,
            port=self.port,
            dbname=self.dbname,
            user=self.user,
            password=self.password,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionLimits:
    """Upper limits in seconds; `transaction` is None where long transactions are in order.

    `answer_slack` is how much longer than the server's own limit the client waits for an answer
    before it gives the connection up.
    """

    connect: float = 5
    statement: float = 30
    answer_slack: float = 5
    lock: float = 5
    transaction: float | None = None
    pool_size: int = 4
    pool_wait: float = 5


def read_json(text: str | bytes) -> object:
    """JSON as it is stored; a number too long for Python stays the text that it is."""
    return json.loads(text, parse_int=_integer)


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) <= MOST_DIGITS else digits


def create_postgres_engine(
    address: PostgresAddress, limits: ConnectionLimits, application_name: str
) -> Engine:
    """An engine whose every wait is bounded: for a connection, a lock, a statement, an answer."""
    kind = connection_class(limits.statement + limits.answer_slack)

    def connect() -> DeadlineConnection:
        connection = kind.connect(
            address.conninfo(),
            application_name=application_name,
            connect_timeout=max(2, round(limits.connect)),  # libpq takes no less
            keepalives_idle=10,
            keepalives_interval=5,
            keepalives_count=3,
            options=_server_options(limits),
        )
        set_json_loads(read_json, connection)
        _limit_transactions(connection, limits)
        return connection

    return create_engine(
        URL.create("postgresql+psycopg"),
        creator=connect,
        pool_size=limits.pool_size,
        max_overflow=0,
        pool_timeout=limits.pool_wait,
        hide_parameters=True,  # names of media stand in them, and errors reach admins
    )


def _server_options(limits: ConnectionLimits) -> str:
    settings = {
        "timezone": "UTC",
        "statement_timeout": _milliseconds(limits.statement),
        "lock_timeout": _milliseconds(limits.lock),
        "idle_in_transaction_session_timeout": _milliseconds(
            limits.transaction or limits.statement
        ),
    }
    return " ".join(f"-c {name}={value}" for name, value in settings.items())


def _limit_transactions(connection: DeadlineConnection, limits: ConnectionLimits) -> None:
    if limits.transaction and connection.info.server_version >= TRANSACTION_TIMEOUT_SINCE:
        connection.execute(f"SET transaction_timeout = {_milliseconds(limits.transaction)}")
        connection.commit()


def _milliseconds(seconds: float) -> int:
    return max(1, round(seconds * MILLISECONDS))
