"""An embedded PostgreSQL server that lives and dies with the process that started it."""

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from adapters.embedded_postgres.binaries import readable_bin_directory
from adapters.embedded_postgres.unprivileged import Unprivileged, server_account
from domain.errors import DomainError

USER = "anichron"
PORT = 5432
SOCKET_PATH_LIMIT = 107
START_LIMIT_SECONDS = 60.0
STOP_LIMIT_SECONDS = 30.0
PR_SET_PDEATHSIG = 1
KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", "LD_PRELOAD")


class EmbeddedServerFailed(DomainError):
    """The embedded server could not be started or did not stay up."""


@dataclass(kw_only=True)
class EmbeddedPostgres:
    """A server on a socket below `base`; it listens on no address.

    `start` must be called from the main thread: the kernel ends the server when the thread that
    spawned it ends.
    """

    base: Path
    options: tuple[str, ...] = ()
    account: Unprivileged = field(default_factory=server_account)
    _process: subprocess.Popen[bytes] | None = None

    @property
    def socket_directory(self) -> Path:
        return self.base / "run"

    @property
    def data_directory(self) -> Path:
        return self.base / "data"

    @property
    def log_file(self) -> Path:
        return self.base / "postgres.log"

    def start(self, is_wanted: Callable[[], bool] = lambda: True) -> None:
        """Initialise on the first run, start, and return when the server answers.

        EmbeddedServerFailed when it does not, or as soon as it is no longer wanted.
        """
        self._check_socket_path()
        self.base.mkdir(parents=True, exist_ok=True)
        self.base.chmod(0o755)
        binaries = readable_bin_directory(self.base / "binaries", self.account)
        self.account.own(self.data_directory, 0o700)
        # Trust needs a door: only this account, and root, can reach the socket.
        self.account.own(self.socket_directory, 0o700)
        self._check_reachable()
        self._initialise(binaries)
        self._spawn(binaries)
        self._wait_until_it_answers(is_wanted)

    def stop(self) -> None:
        """Fast shutdown: sessions are rolled back and the data is flushed."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(STOP_LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait(STOP_LIMIT_SECONDS)
        self._process = None

    def is_there(self) -> bool:
        """Whether some process has the socket, this one or another; a killed one leaves it."""
        return (self.socket_directory / f".s.PGSQL.{PORT}").exists()

    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def ensure_database(self, name: str) -> None:
        """Create the database if it is not there."""
        with psycopg.connect(self._dsn("postgres"), autocommit=True) as connection:
            found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name])
            if found.fetchone() is None:
                connection.execute(
                    psycopg.sql.SQL("CREATE DATABASE {}").format(psycopg.sql.Identifier(name))
                )

    def _dsn(self, dbname: str) -> str:
        return psycopg.conninfo.make_conninfo(
            host=str(self.socket_directory),
            port=PORT,
            user=USER,
            dbname=dbname,
            connect_timeout=5,
        )

    def _check_socket_path(self) -> None:
        path = self.socket_directory / f".s.PGSQL.{PORT}"
        if len(str(path).encode()) > SOCKET_PATH_LIMIT:
            raise EmbeddedServerFailed(
                f"{self.base}: the path is too long for a socket; choose a shorter ANICHRON_HOME"
            )

    def _check_reachable(self) -> None:
        can_write = subprocess.run(
            ["test", "-w", self.data_directory], check=False, timeout=10, **self.account.drop()
        )
        if can_write.returncode != 0:
            raise EmbeddedServerFailed(
                f"{self.base}: the account {self.account.name}, which the embedded server runs as,"
                " cannot pass through to it; choose an ANICHRON_HOME below readable folders"
            )

    def _initialise(self, binaries: Path) -> None:
        if (self.data_directory / "PG_VERSION").exists():
            return
        command: list[str | Path] = [
            *(binaries / "initdb", "-D", self.data_directory, "-U", USER, "--auth=trust"),
            *("--encoding=UTF8", "--locale=C", "--locale-provider=builtin"),
            *("--builtin-locale=C.UTF-8", "--no-instructions"),
        ]
        done = subprocess.run(
            command, capture_output=True, check=False, cwd="/", timeout=120, **self.account.drop()
        )
        if done.returncode != 0:
            raise EmbeddedServerFailed(f"initdb failed: {done.stderr.decode(errors='replace')}")

    def _spawn(self, binaries: Path) -> None:
        libc = ctypes.CDLL(None, use_errno=True)

        def end_with_the_supervisor() -> None:
            libc.prctl(PR_SET_PDEATHSIG, signal.SIGINT, 0, 0, 0)

        settings = ("listen_addresses=", *self.options)
        with self.log_file.open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *(binaries / "postgres", "-D", self.data_directory),
                    *("-k", self.socket_directory, "-p", str(PORT)),
                    *(part for setting in settings for part in ("-c", setting)),
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                env=_plain_environment(),
                start_new_session=True,  # a Ctrl-C is for the supervisor, which stops us last
                preexec_fn=end_with_the_supervisor,  # noqa: PLW1509  # no threads run yet
                **self.account.drop(),
            )

    def _wait_until_it_answers(self, is_wanted: Callable[[], bool]) -> None:
        limit = time.monotonic() + START_LIMIT_SECONDS
        while True:
            if not is_wanted():
                raise EmbeddedServerFailed("PostgreSQL is no longer wanted")
            if not self.is_running():
                raise EmbeddedServerFailed(f"PostgreSQL did not start; see {self.log_file}")
            try:
                psycopg.connect(self._dsn("postgres")).close()
            except psycopg.OperationalError as error:
                if time.monotonic() > limit:
                    raise EmbeddedServerFailed(f"PostgreSQL does not answer: {error}") from error
                time.sleep(0.05)
            else:
                return


def _plain_environment() -> dict[str, str]:
    """Another account runs the server: what the supervisor was told in confidence is not for it."""
    return {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
