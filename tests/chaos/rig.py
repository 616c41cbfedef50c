"""Everything that a run needs, made and taken down: servers, database, hosts, users, configs."""

import os
import shutil
import socket
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID, uuid4

from adapters.embedded_postgres.server import PORT, USER, EmbeddedPostgres
from adapters.postgres.engine import ConnectionLimits
from adapters.postgres.schema import migrate
from adapters.postgres.users import PostgresUsers
from adapters.postgres.work_queue import PostgresWorkQueue
from adapters.security.password_hasher import Argon2PasswordHasher
from application.use_cases.manage_users import AddUser
from domain.identity.user import User
from tests.chaos.api_client import ApiClient
from tests.chaos.audit import Audit
from tests.chaos.faketime import WorkerClock
from tests.chaos.fleet import Fleet, Host
from tests.chaos.history import Limits
from tests.chaos.load import KEPT_SCOPES
from tests.chaos.server import ServerUnderFire
from tests.chaos.witness import VARIABLE, Witness
from tests.postgres_server import as_role, connection_variables, engine_at

PASSWORD = "for a run of minutes"
NAMES = ("anna", "ben")
MIGRATION_LIMITS = ConnectionLimits(statement=60)
LOAD_LIMITS = ConnectionLimits(connect=2, statement=3, answer_slack=1, lock=3, pool_size=1)
LIMITS = Limits()
HOST_TIMES = {
    "QUEUE__HEARTBEAT_SECONDS": str(LIMITS.beat),
    "QUEUE__LEASE_SECONDS": str(LIMITS.lease),
    "QUEUE__POLL_SECONDS": str(LIMITS.poll),
    "QUEUE__SCHEDULE_SECONDS": "1",
    "QUEUE__STALL_LIMIT": str(LIMITS.stall_limit),
    "QUEUE__TRANSACTION_TIMEOUT_SECONDS": "3",
    "QUEUE__HEARTBEAT_TIMEOUT_SECONDS": "2",
    "QUEUE__OUTCOME_BACKOFF_SECONDS": "1",
    "WORKER__SHUTDOWN_GRACE_SECONDS": "2",
    "WORK_ITEM_EVENTS__INTERVAL_SECONDS": "0.5",
    "WORK_ITEM_EVENTS__LOOKBACK_SECONDS": "6",
    "WORK_ITEM_EVENTS__KEEP_ALIVE_SECONDS": "2",
    "POSTGRES_CONNECTION__CONNECT_TIMEOUT_SECONDS": "2",
    "POSTGRES_CONNECTION__STATEMENT_TIMEOUT_SECONDS": "3",
    "POSTGRES_CONNECTION__ANSWER_SLACK_SECONDS": "1",
    "POSTGRES_CONNECTION__LOCK_TIMEOUT_SECONDS": "2",
    "POSTGRES_CONNECTION__POOL_TIMEOUT_SECONDS": "2",
}


@dataclass(frozen=True, kw_only=True)
class Rig:
    """What is under fire, and who stands outside of it."""

    folder: Path
    server: ServerUnderFire
    witness: Witness
    fleet: Fleet
    clocks: Sequence[WorkerClock | None]
    api: ApiClient
    queue: PostgresWorkQueue
    scopes: Sequence[UUID]


@contextmanager
def running_rig(
    folder: Path, *, workers: int, configs: int, faketime: Path | None
) -> Iterator[Rig]:
    """All of it, running; at the end everything that was started is ended, whatever happened."""
    with ExitStack() as stack:
        folder.chmod(0o755)  # the servers' account passes through
        server = ServerUnderFire(folder / "fire")
        stack.callback(server.close)
        server.start()
        witness = stack.enter_context(_witness(folder / "witness"))
        _make_database(server)
        users = _make_users(server)
        clocks = _clocks(folder, workers, faketime)
        fleet = _fleet(folder, server, witness, clocks, faketime)
        stack.callback(fleet.end)
        fleet.start()
        api = ApiClient(int(fleet.api.environment["PORT"]))
        api.log_in("admin", PASSWORD)
        scopes = [_add_config(api, users[number % 2].id) for number in range(KEPT_SCOPES + configs)]
        engine = stack.enter_context(
            engine_at(as_role(server.address, "anichron_api"), LOAD_LIMITS, "anichron-load")
        )
        yield Rig(
            folder=folder,
            server=server,
            witness=witness,
            fleet=fleet,
            clocks=clocks,
            api=api,
            queue=PostgresWorkQueue(engine=engine),
            scopes=scopes,
        )


@contextmanager
def _witness(base: Path) -> Iterator[Witness]:
    server = EmbeddedPostgres(base=base, options=("fsync=off", "max_connections=100"))
    try:
        server.start()
        witness = Witness(f"host={server.socket_directory} port={PORT} user={USER} dbname=postgres")
        witness.make_ledger()
        yield witness
    finally:
        server.stop()


def _make_database(server: ServerUnderFire) -> None:
    server.make_database()
    with engine_at(server.address, MIGRATION_LIMITS, "chaos-migration") as engine:
        assert migrate(engine) is None
    with server.control() as connection:
        Audit(connection).set_up()


def _make_users(server: ServerUnderFire) -> list[User]:
    """The admin, who only asks, and two whose folders there are."""
    with engine_at(server.address, MIGRATION_LIMITS, "chaos-migration") as engine:
        add = AddUser(users=PostgresUsers(engine=engine), password_hasher=Argon2PasswordHasher())
        add(name="admin", email="admin@example.org", password=PASSWORD, is_admin=True)
        return [
            add(name=name, email=f"{name}@example.org", password=PASSWORD, is_admin=False)
            for name in NAMES
        ]


def _add_config(api: ApiClient, user_id: UUID) -> UUID:
    root = f"/data/originals/{uuid4()}"
    wanted = {"userId": str(user_id), "rootPath": root, "timeZone": "UTC"}
    status, body = api.call("POST", "/admin/storage-configs", wanted, what="POST config")
    if status != 201:
        raise RuntimeError(f"a config was answered with {status}: {body}")
    return UUID(body["id"])


def _clocks(folder: Path, workers: int, faketime: Path | None) -> list[WorkerClock | None]:
    """A clock of its own for every second Worker."""
    clocks = [
        WorkerClock(folder / f"clock-{number}") if faketime and number % 2 else None
        for number in range(workers)
    ]
    for clock in clocks:
        if clock is not None:
            clock.set(0)
    return clocks


def _fleet(
    folder: Path,
    server: ServerUnderFire,
    witness: Witness,
    clocks: Sequence[WorkerClock | None],
    faketime: Path | None,
) -> Fleet:
    logs = folder / "logs"
    logs.mkdir()
    common = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "ANICHRON_HOME": str(folder / "home"),
        VARIABLE: witness.conninfo,
        **HOST_TIMES,
    }
    workers = []
    for number, clock in enumerate(clocks):
        environment = {
            **common,
            **connection_variables(as_role(server.address, "anichron_worker")),
            **_served(number),
            **(clock.environment(faketime) if clock and faketime else {}),
        }
        name = f"worker-{number}"
        workers.append(Host(name=name, role="worker", environment=environment, log=logs / name))
    environment = {
        **common,
        **connection_variables(as_role(server.address, "anichron_api")),
        "PORT": str(_free_port()),
    }
    api = Host(name="api", role="api", environment=environment, log=logs / "api")
    return Fleet(folder=logs, workers=workers, api=api)


def _served(number: int) -> dict[str, str]:
    """The first two Workers serve everyone, and then one serves each user."""
    return {} if number < 2 else {"WORKER__USER": NAMES[number % 2]}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
