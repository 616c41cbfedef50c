"""Other queues, each drained by its own script in an environment of their own."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import urlencode
from uuid import uuid4

import psycopg
from psycopg import sql

from adapters.postgres.engine import PostgresAddress
from tests.benchmarks.queue.peers.command import Unavailable, output
from tests.benchmarks.queue.peers.environment import Environment

LIMIT_SECONDS = 60.0
CONNECT_SECONDS = 10

Concurrency = Literal["1", "default"]


@dataclass(frozen=True, slots=True)
class Peer:
    name: str
    requirement: str
    """Its name in `peers.txt`."""

    @property
    def script(self) -> str:
        return f"{__package__}.{self.name}_peer"


PEERS = (
    Peer("procrastinate", "procrastinate"),
    Peer("pgqueuer", "pgqueuer"),
    Peer("oban", "oban"),
    Peer("chancy", "chancy"),
    Peer("awa", "awa-pg"),
    Peer("absurd", "absurd-sdk"),
    Peer("celery", "celery"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drained:
    """Seconds of one drain of a peer's queue, measured inside its worker."""

    items: int
    seconds: float
    """From the first job's start to the last job's end."""
    settled_seconds: float
    """From the first job's start until all outcomes were in the peer's table."""
    enqueue_seconds: float

    @property
    def items_a_second(self) -> float:
        return self.items / self.seconds


def drain(
    environment: Environment,
    peer: Peer,
    server: PostgresAddress,
    items: int,
    concurrency: Concurrency,
) -> Drained | Unavailable:
    """Enqueue and complete so many items in a new database of the server, which goes afterwards.

    Unavailable, with a reason of one line, if the peer is not installed, fails or is slower than
    the limit. `server` names a database from which others can be created.
    """
    if reason := environment.missing.get(peer.requirement):
        return Unavailable(f"not installed: {reason}")
    with _new_database(server) as address:
        script = [str(environment.python), "-m", peer.script]
        arguments = [_uri(address), str(items), concurrency]
        printed = output([*script, *arguments], LIMIT_SECONDS, _plain_environment(address))
    return printed if isinstance(printed, Unavailable) else parsed(printed, items)


def parsed(printed: str, items: int) -> Drained | Unavailable:
    """The last line that a script printed; a peer may print, too."""
    last = printed.strip().rpartition("\n")[2]
    try:
        drained = Drained(**json.loads(last))
    except (ValueError, TypeError):
        return Unavailable(f"printed no result, but {last[:80]!r}")
    if drained.items != items or drained.seconds <= 0:
        return Unavailable(f"{items} items were asked for, and it says {last[:200]}")
    return drained


@contextmanager
def _new_database(server: PostgresAddress) -> Iterator[PostgresAddress]:
    name = f"peer_{uuid4().hex}"
    _run(server, "CREATE DATABASE {}", name)
    try:
        yield replace(server, dbname=name)
    finally:
        _run(server, "DROP DATABASE {} WITH (FORCE)", name)


def _run(server: PostgresAddress, statement: str, name: str) -> None:
    with psycopg.connect(
        server.conninfo(), autocommit=True, connect_timeout=CONNECT_SECONDS
    ) as connection:
        connection.execute("SET statement_timeout = '30s'")
        connection.execute(sql.SQL(statement).format(sql.Identifier(name)))


def _uri(address: PostgresAddress) -> str:
    """In the one form that libpq, asyncpg and sqlx all take, for sockets as for TCP."""
    options = {"host": address.host, "port": str(address.port), "user": address.user}
    return f"postgresql:///{address.dbname}?{urlencode(options)}"


def _plain_environment(address: PostgresAddress) -> dict[str, str]:
    """No setting of a peer, or of libpq, comes from whoever runs the benchmark."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return kept | ({"PGPASSWORD": address.password} if address.password else {})
