"""A real API with real Workers on a real database, for a browser to look at."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

from sqlalchemy import Engine, text

from adapters.postgres.engine import PostgresAddress
from adapters.postgres.users import PostgresUsers
from adapters.security.password_hasher import Argon2PasswordHasher
from application.ports.users import NewUser
from domain.identity.user import User
from tests.contracts.harness import PostgresPorts
from tests.entrypoints.api.running_host import RunningHost, running_host
from tests.postgres_server import TestServer, as_role, connection_variables, engine_at
from tests.process.hosts import BRISK, ROOT, eventually

NAME, PASSWORD = "root", "root's password"
BRISK_API = {"WORK_ITEM_EVENTS__INTERVAL_SECONDS": "0.3"}
SCRIPTS = ("-m", "tests.process.worker")
PRODUCT = ("-m", "entrypoints.cli.main", "worker")
# Of a Worker whose crawl is held.
PATIENT = {
    "POSTGRES_CONNECTION__LOCK_TIMEOUT_SECONDS": "60",
    "POSTGRES_CONNECTION__STATEMENT_TIMEOUT_SECONDS": "60",
}
EMPTIED = ("work_items", "workers", "storage_configs")


@dataclass(kw_only=True)
class Site:
    """One installation. `folder` is where its hosts keep what they write."""

    address: PostgresAddress
    host: RunningHost
    admin: User
    engine: Engine
    folder: Path
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.host.port}"

    @property
    def work(self) -> PostgresPorts:
        return PostgresPorts(engine=self.engine)

    def tokens(self) -> dict[str, str]:
        """Of a log-in of its own."""
        answer: dict[str, str] = self.call(
            "POST", "auth/login", {"username": NAME, "password": PASSWORD}
        )
        return answer

    def call(self, method: str, path: str, body: object = None, token: str | None = None) -> Any:
        with closing(self.host.connect()) as connection:
            headers = {"Content-Type": "application/json"} if body is not None else {}
            if token:
                headers["Authorization"] = f"Bearer {token}"
            content = None if body is None else json.dumps(body)
            connection.request(method, f"/api/v1/{path}", content, headers)
            return json.loads(connection.getresponse().read() or b"null")

    def start_worker(self, command: tuple[str, ...] = SCRIPTS, **more: str) -> None:
        """A Worker for everyone, of the tests' kinds unless it is the product's; waits for it."""
        log = self.folder / f"worker-{len(self.workers)}.log"
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "ANICHRON_HOME": str(self.folder),
            "LEDGER": str(self.folder / "ledger"),
            "WORKER__ROOT": str(self.folder),
            "WORKER__PROXY_PATH": str(self.folder / "proxies"),
            **connection_variables(as_role(self.address, "anichron_worker")),
            **BRISK,
            **more,
        }
        with log.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, *command], cwd=ROOT, env=environment, stdout=output, stderr=output
            )
        self.workers.append(process)
        eventually(lambda: b"ready to work" in log.read_bytes(), 30, log.read_text)

    def stop_workers(self) -> None:
        for worker in self.workers:
            worker.kill()
            worker.wait(10)
        self.workers.clear()

    def run(self, statement: str, **parameters: object) -> None:
        with self.engine.begin() as connection:
            connection.execute(text(statement), parameters)

    def announce_worker(
        self, silent: str = "0 s", whom: UUID | None = None, *, has_stopped: bool = False
    ) -> None:
        """As a Worker does, of everyone or of somebody, so long ago."""
        self.run(
            "INSERT INTO workers (id, name, host, version, seen_at, user_id, stopped_at)"
            " SELECT gen_random_uuid(), 'x@nas', 'nas', '0.1.0', at, :whom,"
            "     CASE WHEN :has_stopped THEN at END"
            f" FROM (SELECT clock_timestamp() - interval '{silent}' AS at) seen",
            whom=whom,
            has_stopped=has_stopped,
        )

    def add_folder(self, name: str, owner: UUID | None = None) -> UUID:
        """A registered folder; it need not exist."""
        config = self.work.add_config(owner or self.admin.id)
        path = str(self.folder / name)
        self.run(
            "UPDATE storage_configs SET root_path = :path WHERE id = :id", path=path, id=config
        )
        return config

    @contextmanager
    def holding(self, config: UUID, file: str) -> Iterator[None]:
        """A crawl that comes to this new file of the folder waits until the block ends.

        However fast the machine is: the row of the file is somebody else's until then.
        """
        statement = (
            "INSERT INTO source_files (storage_config_id, path, display_path, size, mtime_ns,"
            " outcome, reason) VALUES (:config, convert_to(:file, 'UTF8'), :file, 1, 1,"
            " 'skipped', 'held')"
        )
        with self.undone(statement, config=config, file=file):
            yield

    @contextmanager
    def undone(self, statement: str, **parameters: object) -> Iterator[None]:
        """What the statement locks stays locked until the block ends; what it did is undone."""
        with self.engine.connect() as connection, connection.begin() as transaction:
            connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
            connection.execute(text(statement), parameters)
            try:
                yield
            finally:
                transaction.rollback()

    def empty(self) -> None:
        """As nobody had been here, but for the admin."""
        self.stop_workers()
        # Finished items leave no note of themselves, and the stream remembers them for a while.
        self.run(
            "INSERT INTO work_item_removals"
            " SELECT id, greatest(clock_timestamp(), updated_at + interval '1 microsecond')"
            " FROM work_items ON CONFLICT DO NOTHING"
        )
        for table in EMPTIED:
            self.run(f"DELETE FROM {table}")
        self.run("DELETE FROM users WHERE id <> :id", id=self.admin.id)


@contextmanager
def running_site(server: TestServer, folder: Path) -> Iterator[Site]:
    with server.database() as address, engine_at(address) as engine:
        users = PostgresUsers(engine=engine)
        admin = users.add(
            NewUser(
                name=NAME,
                email="root@example.org",
                password_hash=Argon2PasswordHasher().hash(PASSWORD),
                is_admin=True,
            )
        )
        with running_host(address, folder, **BRISK_API) as host:
            site = Site(address=address, host=host, admin=admin, engine=engine, folder=folder)
            try:
                yield site
            finally:
                site.stop_workers()
