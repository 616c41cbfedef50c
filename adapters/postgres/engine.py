"""Engines: how a host's connections behave."""

import json
from dataclasses import dataclass

from psycopg.conninfo import make_conninfo
from psycopg.types.json import set_json_loads
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL

from adapters.postgres.deadline import DeadlineConnection, connection_class

MILLISECONDS = 1_000
MOST_DIGITS = 300
TRANSACTION_TIMEOUT_SINCE = 170_000
PREPARED_AFTER = 5
"""As psycopg has it: a statement is prepared when it is executed so often."""
POOLED = "anichron_is_pooled"


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresAddress:
    """Where the server is and who we are there; `host` may be a socket directory.

    Several hosts, parted by commas, are a primary and its replicas: the one that takes writes is
    looked for at each new connection.
    """

    host: str
    port: int
    dbname: str
    user: str
    password: str | None = None
    is_pooled: bool = False
    """A pooler in transaction mode is in between: each transaction may have another session."""

    def conninfo(self) -> str:
        """The connection string as libpq reads it."""
        return make_conninfo(
            host=self.host,
            port=self.port,
            dbname=self.dbname,
            user=self.user,
            password=self.password,
            target_session_attrs="read-write" if "," in self.host else None,
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
    # A pooler refuses what it doesn't know at the start of a session, and hands sessions around.
    options = None if address.is_pooled else _server_options(limits)

    def connect() -> DeadlineConnection:
        connection = kind.connect(
            address.conninfo(),
            application_name=application_name,
            connect_timeout=max(2, round(limits.connect)),  # libpq takes no less
            keepalives_idle=10,
            keepalives_interval=5,
            keepalives_count=3,
            prepare_threshold=None if address.is_pooled else PREPARED_AFTER,
            options=options,
        )
        set_json_loads(read_json, connection)
        if not address.is_pooled:
            _limit_transactions(connection, limits)
        return connection

    engine = create_engine(
        URL.create("postgresql+psycopg"),
        creator=connect,
        pool_size=limits.pool_size,
        max_overflow=0,
        pool_timeout=limits.pool_wait,
        hide_parameters=True,  # names of media stand in them, and errors reach admins
    )
    if address.is_pooled:
        engine.update_execution_options(**{POOLED: True})
        _limit_each_transaction(engine, limits)
    return engine


def is_pooled(engine: Engine) -> bool:
    """Whether no statement may rely on a session of its own."""
    return bool(engine.get_execution_options().get(POOLED))


def _settings(limits: ConnectionLimits) -> dict[str, str | int]:
    return {
        "timezone": "UTC",
        "statement_timeout": _milliseconds(limits.statement),
        "lock_timeout": _milliseconds(limits.lock),
        "idle_in_transaction_session_timeout": _milliseconds(
            limits.transaction or limits.statement
        ),
    }


def _server_options(limits: ConnectionLimits) -> str:
    return " ".join(f"-c {name}={value}" for name, value in _settings(limits).items())


def _limit_each_transaction(engine: Engine, limits: ConnectionLimits) -> None:
    """What a session of our own has from its start, each transaction gets for itself."""
    calls = [f"set_config('{name}', '{value}', true)" for name, value in _settings(limits).items()]
    if limits.transaction:
        # Servers before 17 know no such limit, and take the name for one of an extension's.
        value = _milliseconds(limits.transaction)
        name = (
            f"CASE WHEN current_setting('server_version_num')::int >= {TRANSACTION_TIMEOUT_SINCE}"
        )
        calls.append(
            f"set_config({name} THEN 'transaction_timeout' ELSE 'anichron.unused' END,"
            f" '{value}', true)"
        )
    statement = f"SELECT {', '.join(calls)}"

    @event.listens_for(engine, "begin")
    def limit(connection: Connection) -> None:
        connection.exec_driver_sql(statement)


def _limit_transactions(connection: DeadlineConnection, limits: ConnectionLimits) -> None:
    if limits.transaction and connection.info.server_version >= TRANSACTION_TIMEOUT_SINCE:
        connection.execute(f"SET transaction_timeout = {_milliseconds(limits.transaction)}")
        connection.commit()


def _milliseconds(seconds: float) -> int:
    return max(1, round(seconds * MILLISECONDS))
