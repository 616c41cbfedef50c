"""`anichron up`: everything on this machine, under one supervisor."""

import fcntl
import logging
import os
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from domain.errors import DomainError, InvalidInput
from domain.identity.user import User
from entrypoints.cli.container import CliContainer
from entrypoints.cli.first_run import FirstRun
from entrypoints.cli.hosts_of_up import PROXIES, own_paths
from entrypoints.cli.kept_server import KeptServer
from entrypoints.cli.listening import check_listening
from entrypoints.cli.supervisor import Host, Supervisor
from entrypoints.common.logging import configure_logging
from entrypoints.common.settings import Settings

LOG = logging.getLogger(__name__)
SIGNING_SECRET = "JWT__SECRET"  # noqa: S105  # the name of a variable
# Whoever can read a process's environment, or runs in it, reads these: the hosts that don't need
# them don't get them.
SECRETS = (
    SIGNING_SECRET,
    "ANICHRON_PASSWORD",
    "ANICHRON_API_PASSWORD",
    "ROLE_PASSWORDS__API",
    "ROLE_PASSWORDS__WORKER",
)
# Our own address is never reached through a proxy of the environment.
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def up(settings: Settings) -> None:
    """Set up what is missing, start all, and stay until told to stop. DomainError if it can't."""
    configure_logging(settings, host="supervisor")
    _make_home(settings.home)
    with _only_one(settings.home):
        check_listening(settings)
        container = CliContainer(settings=settings)
        first = FirstRun(container=container, settings=settings)
        library = first.library()
        with _database(container, settings):
            refusal = container.migrate()
            if refusal:
                LOG.warning("the hosts are served without roles of their own: %s", refusal)
            admin = first.admin()
            first.register(library, admin)
            first.check_hosts()
            _dispose(container)
            has_roles = settings.is_embedded() and refusal is None
            hosts = hosts_of(settings, has_roles=has_roles)
            _supervise(
                container, settings, hosts, partial(_announce, settings, first, admin, library)
            )
    print("Anichron is stopped", file=sys.stderr)  # noqa: T201


def _supervise(
    container: CliContainer,
    settings: Settings,
    hosts: list[Host],
    announce: Callable[[Supervisor], None],
) -> None:
    signals: list[int] = []
    server = container.embedded_server() if settings.is_embedded() else None
    kept = KeptServer(server=server, is_wanted=lambda: not signals) if server else None
    supervisor = Supervisor(
        hosts=hosts, look_after=kept.look_after if kept else _nothing, signals=signals
    )
    supervisor.listen_to_signals()
    supervisor.run(lambda: announce(supervisor))


def _nothing() -> None:
    """The operator looks after the database."""


def hosts_of(settings: Settings, *, has_roles: bool) -> list[Host]:
    """`has_roles`: each host has a role of its own, to which the embedded server lets it in."""
    paths = own_paths(settings)
    environment = {
        **{name: value for name, value in os.environ.items() if name not in SECRETS},
        "ANICHRON_HOME": str(settings.home),
        "PORT": str(settings.port),
        "WORKER__ROOT": str(paths.root),
        "WORKER__PROXY_PATH": str(paths.proxies),
        "PROXY_PATH": str(paths.proxies),
    }
    grace, limits = settings.worker.shutdown_grace_seconds, settings.up

    def host(name: str, stop_limit: float, *, needs: Sequence[str] = ()) -> Host:
        command = [sys.executable, "-m", "entrypoints.cli.main", name]
        secrets = {each: os.environ[each] for each in needs if each in os.environ}
        role = {"POSTGRES_CONNECTION__USER": f"anichron_{name}"} if has_roles else {}
        return Host(
            name=name,
            command=command,
            environment=environment | secrets | role,
            stop_limit=stop_limit,
        )

    return [
        host("api", limits.api_stop_seconds, needs=[SIGNING_SECRET]),
        host("worker", grace + limits.worker_stop_slack_seconds),
    ]


def _announce(
    settings: Settings, first: FirstRun, admin: User, library: Path, supervisor: Supervisor
) -> None:
    host = f"[{settings.address}]" if ":" in settings.address else settings.address
    address = f"http://{host}:{settings.port}"
    limit = settings.up.ready_seconds
    _wait_until_ready(f"{address}/api/v1/readyz", limit, supervisor)
    if supervisor.signals:
        return
    password = f"in {first.password_file}" if first.password_file.exists() else "known to them"
    lines = (
        f"Anichron is ready at {address}",
        f"  admin     {address}/admin/",
        f"  user      {admin.name}",
        f"  password  {password}",
        f"  library   {library}",
        "Stop it with Ctrl-C.",
    )
    print(*lines, sep="\n", flush=True)  # noqa: T201


def _wait_until_ready(url: str, limit: float, supervisor: Supervisor) -> None:
    end = time.monotonic() + limit
    while not supervisor.signals:
        try:
            _DIRECT.open(url, timeout=2).close()
        except (urllib.error.URLError, OSError) as error:
            if time.monotonic() > end:
                raise DomainError(f"the API did not become ready: {error}") from error
            for host in supervisor.hosts:
                host.keep_running()
            time.sleep(0.1)
        else:
            return


@contextmanager
def _database(container: CliContainer, settings: Settings) -> Iterator[None]:
    """The embedded server, started and stopped; nothing to do where the operator has one."""
    if not settings.is_embedded():
        yield
        return
    server = container.embedded_server()
    try:
        server.start()
        server.ensure_database(settings.postgres_connection.dbname)
        yield
    finally:
        _dispose(container)
        server.stop()


def _dispose(container: CliContainer) -> None:
    container.database.migration_engine().dispose()
    container.database.library_engine().dispose()
    container.database.queue_engine().dispose()


@contextmanager
def _only_one(home: Path) -> Iterator[None]:
    with (home / "up.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise DomainError(
                f"Anichron is already running in {home}; a second one needs an ANICHRON_HOME and"
                " a PORT of its own"
            ) from error
        yield


def _make_home(home: Path) -> None:
    try:
        if not home.exists():  # the rights of a folder that was there are its owner's
            home.mkdir(parents=True)
            # As root the embedded server has another account, which must pass through.
            home.chmod(0o755 if os.geteuid() == 0 else 0o700)
        (home / PROXIES).mkdir(mode=0o700, exist_ok=True)  # pictures of people
    except OSError as error:
        raise InvalidInput("ANICHRON_HOME", f"{home}: {error.strerror}") from error
