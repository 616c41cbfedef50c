"""What the benchmark runs on: a durable server, a fresh database, and pgbench as the limit."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import LiteralString

import psycopg
from sqlalchemy import Engine

from adapters.embedded_postgres.binaries import find_bin_directory
from adapters.embedded_postgres.server import EmbeddedPostgres
from adapters.postgres.engine import ConnectionLimits, PostgresAddress, create_postgres_engine
from tests.contracts.harness import PostgresPorts
from tests.postgres_server import TestServer, as_role
from tests.process.replicated import address

PGBENCH_LIMIT_SECONDS = 300
LIMITS = ConnectionLimits(pool_size=20, statement=300, lock=60)
TPS = re.compile(r"^tps = ([0-9.]+)", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class Rig:
    """One database of a server with the settings that PostgreSQL ships with."""

    server: TestServer
    address: PostgresAddress
    ports: PostgresPorts
    folder: Path

    @property
    def engine(self) -> Engine:
        return self.ports.engine

    def connect(self) -> psycopg.Connection:
        """As the owner, each statement for itself."""
        return psycopg.connect(self.address.conninfo(), autocommit=True)

    def run(self, statement: LiteralString) -> None:
        with self.connect() as connection:
            connection.execute(statement)

    def settle(self) -> None:
        """So that every measurement begins with fresh statistics and clean buffers."""
        self.run("VACUUM (ANALYZE) work_items")
        self.run("CHECKPOINT")

    def pgbench(
        self, script: str, transactions: int, clients: int = 1, **variables: object
    ) -> float:
        """Transactions a second of the script, its statements prepared."""
        file = self.folder / "script.sql"
        file.write_text(script)
        done = subprocess.run(
            [
                *(find_bin_directory() / "pgbench", "-h", self.address.host),
                *("-p", str(self.address.port), "-U", self.address.user, "-n", "-M", "prepared"),
                *("-c", str(clients), "-j", str(min(clients, 2)), "-t", str(transactions)),
                *(part for name, value in variables.items() for part in ("-D", f"{name}={value}")),
                *("-f", file, self.address.dbname),
            ],
            capture_output=True,
            check=False,
            text=True,
            timeout=PGBENCH_LIMIT_SECONDS,
        )
        found = TPS.search(done.stdout)
        assert done.returncode == 0, done.stderr
        assert found is not None, done.stdout
        return float(found.group(1))


@contextmanager
def benchmark_server(*options: str) -> Iterator[TestServer]:
    base = Path(tempfile.mkdtemp(prefix="bench-"))
    base.chmod(0o755)
    server = EmbeddedPostgres(base=base, options=("max_connections=200", *options))
    try:
        server.start()
        test_server = TestServer(address(server), "embedded")
        test_server.prepare_template()
        yield test_server
    finally:
        server.stop()
        shutil.rmtree(base, ignore_errors=True)


@contextmanager
def rig(server: TestServer) -> Iterator[Rig]:
    with server.database() as at, tempfile.TemporaryDirectory(prefix="bench-") as folder:
        engines = [
            create_postgres_engine(each, LIMITS, "bench")
            for each in (at, as_role(at, "anichron_api"), as_role(at, "anichron_worker"))
        ]
        owner, api, worker = engines
        ports = PostgresPorts(engine=owner, api=api, worker=worker)
        yield Rig(server=server, address=at, ports=ports, folder=Path(folder))
        for engine in engines:
            engine.dispose()
