"""PostgreSQL for tests: TEST_DATABASE_URL, else Testcontainers, else the embedded server."""

import itertools
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import psycopg
from psycopg import sql
from sqlalchemy import Engine

from adapters.embedded_postgres.server import EmbeddedPostgres
from adapters.postgres.engine import ConnectionLimits, PostgresAddress, create_postgres_engine
from adapters.postgres.schema import migrate
from tests.pooler import POOLER_PORT, pooler_before

FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200")
LIMITS = ConnectionLimits(pool_size=12)
ROLES = ("anichron_api", "anichron_worker")
ROLE_PASSWORD = "for tests"  # of servers on loopback that hold nothing


@contextmanager
def behind_a_pooler(server: "TestServer") -> Iterator["TestServer"]:
    """The same server, to the tests' engines through PgBouncer: five sessions for all of them."""
    with pooler_before(server.address) as directory:
        yield replace(server, pooler=directory)


@dataclass
class TestServer:
    """A server on which each test gets a migrated database of its own."""

    __test__ = False
    address: PostgresAddress
    source: str
    pooler: Path | None = None
    """The socket directory of a pooler that stands before the server."""
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    @property
    def template(self) -> str:
        return f"anichron_template_{os.getpid()}"

    def prepare_template(self, name: str | None = None) -> None:
        """A migrated database, under this name or as the template of all others.

        Roles are the whole server's: test processes that share one prepare one after another.
        """
        with self._session() as session:
            session.execute("SET lock_timeout = '60s'")
            session.execute("SELECT pg_advisory_lock(hashtext('anichron test roles'))")
            self._prepare_template(name or self.template)

    def _prepare_template(self, name: str) -> None:
        self._run("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)
        self._run("CREATE DATABASE {}", name)
        with engine_at(self.at(name)) as engine:
            assert migrate(engine) is None, "the server's user must be allowed to make roles"
        for role in ROLES:
            self._run("ALTER ROLE {} PASSWORD " + f"'{ROLE_PASSWORD}'", role)

    def at(self, dbname: str) -> PostgresAddress:
        """For what a pooler can't do: databases and their schema."""
        return replace(self.address, dbname=dbname)

    def served_at(self, dbname: str) -> PostgresAddress:
        """For hosts and tests."""
        if self.pooler is None:
            return self.at(dbname)
        return replace(self.at(dbname), host=str(self.pooler), port=POOLER_PORT, is_pooled=True)

    @contextmanager
    def database(self, *, migrated: bool = True) -> Iterator[PostgresAddress]:
        name = f"anichron_test_{os.getpid()}_{next(self._numbers)}"
        if migrated:
            self._run("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY", name, self.template)
        else:
            self._run("CREATE DATABASE {}", name)
        try:
            yield self.served_at(name)
        finally:
            self._run("DROP DATABASE {} WITH (FORCE)", name)

    def _run(self, statement: str, *names: str) -> None:
        with self._session() as session:
            session.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))

    def _session(self) -> psycopg.Connection:
        return psycopg.connect(self.address.conninfo(), autocommit=True, connect_timeout=10)


@contextmanager
def engine_at(
    address: PostgresAddress, limits: ConnectionLimits = LIMITS, name: str = "tests"
) -> Iterator[Engine]:
    """Connections to there, which all end with the block; `name` is what the server calls them."""
    engine = create_postgres_engine(address, limits, name)
    try:
        yield engine
    finally:
        engine.dispose()


def connection_variables(address: PostgresAddress) -> dict[str, str]:
    """The environment that leads a host to this database."""
    given = {
        "POSTGRES_CONNECTION__HOST": address.host,
        "POSTGRES_CONNECTION__PORT": str(address.port),
        "POSTGRES_CONNECTION__DBNAME": address.dbname,
        "POSTGRES_CONNECTION__USER": address.user,
        "POSTGRES_CONNECTION__IS_POOLED": str(address.is_pooled),
    }
    if address.password:
        given["POSTGRES_CONNECTION__PASSWORD"] = address.password
    return given


def as_role(address: PostgresAddress, role: str) -> PostgresAddress:
    """The same database under one of the hosts' roles."""
    return replace(address, user=role, password=ROLE_PASSWORD)


def engine_answers() -> bool:
    """Whether a container engine answers a ping on this machine."""
    if os.environ.get("TESTS_NO_DOCKER"):
        return False
    import docker

    try:
        docker.from_env(timeout=2).ping()
    except docker.errors.DockerException:
        return False
    return True


@contextmanager
def running_server() -> Iterator[TestServer]:
    with _server() as server:
        if not os.environ.get("TEST_POOLER"):
            yield server
            return
        with behind_a_pooler(server) as pooled:
            yield pooled


@contextmanager
def _server() -> Iterator[TestServer]:
    if url := os.environ.get("TEST_DATABASE_URL"):
        yield TestServer(address_of(url), "TEST_DATABASE_URL")
    elif engine_answers():
        yield from _in_a_container()
    else:
        yield from _embedded()


def _in_a_container() -> Iterator[TestServer]:
    os.environ.setdefault("TESTCONTAINERS_RYUK_DISABLED", "true")
    from testcontainers.community.postgres import PostgresContainer

    image = os.environ.get("TEST_PG_IMAGE", "postgres:18")
    with PostgresContainer(image, driver=None) as container:
        yield TestServer(address_of(container.get_connection_url()), "Testcontainers")


def _embedded() -> Iterator[TestServer]:
    base = Path(tempfile.mkdtemp(prefix="pg-"))
    server = EmbeddedPostgres(base=base, options=FAST)
    try:
        server.start()
        yield TestServer(
            PostgresAddress(
                host=str(server.socket_directory), port=5432, dbname="postgres", user="anichron"
            ),
            "embedded",
        )
    finally:
        server.stop()
        shutil.rmtree(base, ignore_errors=True)


def address_of(url: str) -> PostgresAddress:
    known = psycopg.conninfo.conninfo_to_dict(url)
    return PostgresAddress(
        host=str(known.get("host", "localhost")),
        port=int(str(known.get("port", 5432))),
        dbname=str(known.get("dbname", "postgres")),
        user=str(known.get("user", "postgres")),
        password=None if known.get("password") is None else str(known["password"]),
    )
