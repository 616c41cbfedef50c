"""PostgreSQL under fire: a server of the harness's own, and all that can be done to it."""

import contextlib
import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from adapters.embedded_postgres.server import PORT, USER, EmbeddedPostgres
from adapters.postgres.engine import PostgresAddress

SESSIONS = 60
SPARE_SESSIONS = 8
"""For superusers, that is, for the harness; an exhausted server refuses the hosts alone."""
OPTIONS = (
    "fsync=off",  # only processes die here, never the machine
    "full_page_writes=off",
    "track_commit_timestamp=on",
    f"max_connections={SESSIONS}",
    f"superuser_reserved_connections={SPARE_SESSIONS}",
)
CONTROL = "chaos-control"
STATEMENT_SECONDS = 3
_OTHERS = "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'anichron-%' ORDER BY pid"
ROLES = ("anichron_api", "anichron_worker")


@dataclass
class ServerUnderFire:
    """Started and stopped from the main thread alone; the rest from any, one at a time."""

    base: Path
    dbname: str = "anichron"
    _server: EmbeddedPostgres = field(init=False)
    _frozen: list[int] = field(default_factory=list)
    _taken: list[psycopg.Connection] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._server = EmbeddedPostgres(base=self.base, options=OPTIONS)

    @property
    def address(self) -> PostgresAddress:
        return PostgresAddress(
            host=str(self._server.socket_directory), port=PORT, dbname=self.dbname, user=USER
        )

    @property
    def log(self) -> Path:
        return self._server.log_file

    def start(self) -> None:
        self._server.start()

    def make_database(self) -> None:
        self._server.ensure_database(self.dbname)

    def stop(self, *, at_once: bool = False) -> None:
        """With a shutdown that takes leave of its sessions, or one that takes none."""
        if at_once and self._server.pid is not None:
            os.kill(self._server.pid, signal.SIGQUIT)
        self._server.stop()

    def close(self) -> None:
        """Undo what was done to it, and stop it."""
        self.thaw()
        self.give_sessions_back()
        self._server.stop()

    def freeze(self) -> None:
        """Stop every process of it: what is sent is taken by the kernel, and never answered."""
        postmaster = self._server.pid
        if postmaster is None:
            return
        # The postmaster first, so that no process is started behind our back.
        self._frozen = [postmaster]
        os.kill(postmaster, signal.SIGSTOP)
        for child in children_of(postmaster):
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGSTOP)
                self._frozen.append(child)

    def thaw(self) -> None:
        for pid in self._frozen:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
        self._frozen = []

    def set_read_only(self, *, is_on: bool) -> None:
        with self.control() as connection:
            setting = "SET default_transaction_read_only = on"
            reset = "RESET default_transaction_read_only"
            connection.execute(f"ALTER SYSTEM {setting if is_on else reset}".encode())
            connection.execute("SELECT pg_reload_conf()")

    def kill_a_backend(self, number: int) -> None:
        """End one of the hosts' sessions; the number chooses which."""
        with self.control() as connection:
            pids = [row[0] for row in connection.execute(_OTHERS).fetchall()]
            if pids:
                connection.execute("SELECT pg_terminate_backend(%s)", [pids[number % len(pids)]])

    def take_sessions(self) -> None:
        """Take every free session, end the hosts', and take those too."""
        self._take_what_is_free()
        with self.control() as connection:
            connection.execute(f"SELECT pg_terminate_backend(pid, 100) FROM ({_OTHERS}) others")
        self._take_what_is_free()

    def _take_what_is_free(self) -> None:
        with contextlib.suppress(psycopg.OperationalError):
            for number in range(SESSIONS):
                self._taken.append(
                    psycopg.connect(
                        self.address.conninfo(),
                        user=ROLES[number % 2],
                        application_name="chaos-taker",
                        connect_timeout=2,
                    )
                )

    def give_sessions_back(self) -> None:
        for connection in self._taken:
            connection.close()
        self._taken = []

    @contextlib.contextmanager
    def control(self) -> Iterator[psycopg.Connection]:
        """A superuser's session that no fault of ours refuses; psycopg.Error where it is away."""
        connection = psycopg.connect(
            self.address.conninfo(),
            application_name=CONTROL,
            autocommit=True,
            connect_timeout=2,
            options=(
                f"-c statement_timeout={STATEMENT_SECONDS}s -c default_transaction_read_only=off"
                " -c timezone=UTC"
            ),
        )
        try:
            yield connection
        finally:
            connection.close()


def children_of(pid: int) -> list[int]:
    """The processes that the process started and that are still there."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found.extend(int(number) for number in task.read_text().split())
    return found
