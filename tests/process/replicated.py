"""A primary that confirms a commit when its streaming replica has it, and that replica."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from adapters.embedded_postgres.binaries import readable_bin_directory
from adapters.embedded_postgres.server import PORT, USER, EmbeddedPostgres
from adapters.postgres.engine import PostgresAddress
from tests.postgres_server import TestServer

DATABASE = "anichron"
OPTIONS = ("fsync=off", "full_page_writes=off")


@dataclass(frozen=True, kw_only=True)
class Replicated:
    primary: EmbeddedPostgres
    replica: EmbeddedPostgres

    @property
    def address(self) -> PostgresAddress:
        """As an operator gives it to the hosts; the replica comes first, and must not be taken."""
        sockets = (self.replica.socket_directory, self.primary.socket_directory)
        return PostgresAddress(
            host=",".join(map(str, sockets)), port=PORT, dbname=DATABASE, user=USER
        )

    def lose_primary(self) -> None:
        """Without a goodbye: nothing is flushed, and no session is told."""
        pid = self.primary.pid
        assert pid is not None
        os.kill(pid, signal.SIGQUIT)

    def promote_replica(self) -> None:
        said = run(self.replica, "SELECT pg_promote(wait_seconds => 20)")
        assert said == (True,)


@contextmanager
def replicated_servers() -> Iterator[Replicated]:
    base = Path(tempfile.mkdtemp(prefix="ha-"))
    base.chmod(0o755)
    both = Replicated(
        primary=EmbeddedPostgres(base=base / "a", options=OPTIONS),
        replica=EmbeddedPostgres(base=base / "b", options=OPTIONS),
    )
    try:
        both.primary.start()
        TestServer(address(both.primary), "embedded").prepare_template(DATABASE)
        copy(both)
        both.replica.start()
        run(both.primary, "ALTER SYSTEM SET synchronous_standby_names = '*'")
        run(both.primary, "SELECT pg_reload_conf()")
        yield both
    finally:
        both.replica.stop()
        both.primary.stop()
        shutil.rmtree(base, ignore_errors=True)


def copy(both: Replicated) -> None:
    """What `pg_basebackup -R` makes: a replica that follows as soon as it is started."""
    account = both.primary.account
    binaries = readable_bin_directory(both.primary.base / "binaries", account)
    both.replica.base.mkdir()
    both.replica.base.chmod(0o755)
    account.own(both.replica.data_directory, 0o700)
    done = subprocess.run(
        [
            *(binaries / "pg_basebackup", "-D", both.replica.data_directory, "-R"),
            *("-h", both.primary.socket_directory, "-p", str(PORT), "-U", USER, "-c", "fast"),
        ],
        capture_output=True,
        check=False,
        cwd="/",
        timeout=60,
        **account.drop(),
    )
    assert done.returncode == 0, done.stderr.decode()


def address(server: EmbeddedPostgres) -> PostgresAddress:
    return PostgresAddress(
        host=str(server.socket_directory), port=PORT, dbname="postgres", user=USER
    )


def run(server: EmbeddedPostgres, statement: str) -> tuple[object, ...] | None:
    with psycopg.connect(
        address(server).conninfo(), autocommit=True, connect_timeout=10
    ) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchone() if cursor.description else None
