"""The Worker's main: whom it serves, which processes it is made of, and how it ends."""

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from uuid import UUID

from application.ports.work_item_execution import Serves
from domain.errors import InvalidInput
from domain.identity.user import composed_login
from entrypoints.common.log_context import LogContext
from entrypoints.common.logging import configure_logging
from entrypoints.common.settings import Settings
from entrypoints.worker.keeper_container import KeeperContainer
from entrypoints.worker.name import worker_name
from entrypoints.worker.spans import days

THREADS_OF_THE_ITEM = frozenset({"MainThread", "heartbeat"})
RUNNER_COMMAND = [sys.executable, "-m", "entrypoints.worker.runner"]
# Measured: without arenas and threads limited four decoding threads take 640 MB instead of 235.
# Left to itself the C library raises the size beyond which it gives freed memory back at once, and
# keeps whole pictures: 623 MB instead of 438 for AVIF with alpha, 253 instead of 214 for JPEG.
DECODER_ENVIRONMENT = {
    "MALLOC_ARENA_MAX": "2",
    "MALLOC_MMAP_THRESHOLD_": "131072",
    "MALLOC_TRIM_THRESHOLD_": "262144",
    "VIPS_CONCURRENCY": "1",
}


def run_worker(settings: Settings, runner_command: list[str] | None = None) -> int:
    """Work until told to stop; the process's exit status. DomainError where it cannot start."""
    worker = worker_name(settings)
    context = LogContext(worker=worker, threads=THREADS_OF_THE_ITEM)
    configure_logging(settings, host="worker", context=context)
    container = KeeperContainer(
        settings=settings,
        worker=worker,
        log_context=context,
        host=socket.gethostname(),
        version=version("anichron"),
        runner_command=runner_command or RUNNER_COMMAND,
        runner_environment={**os.environ, **DECODER_ENVIRONMENT},
    )
    container.check_readiness()()
    _check_history(container, settings)
    container.serves.override(Serves(user_id=_served_user(container, settings)))
    with _status_served(container, settings):
        status: int = container.loop().run()
    return status


@contextmanager
def _status_served(container: KeeperContainer, settings: Settings) -> Iterator[None]:
    """For monitors, from before the first claim until after the last; where it is wanted."""
    if settings.status.worker_port is None:
        yield
        return
    server = container.status_server()
    server.start()
    try:
        yield
    finally:
        server.stop()


def _check_history(container: KeeperContainer, settings: Settings) -> None:
    """Due-ness reads the history that retention leaves: it must outlast every interval."""
    longest = max(schedule.interval() for schedule in container.schedules())
    if longest >= days(settings.queue.retention_days):
        raise InvalidInput(
            "QUEUE__RETENTION_DAYS", f"must be longer than every interval; the longest is {longest}"
        )


def _served_user(container: KeeperContainer, settings: Settings) -> UUID | None:
    login = settings.worker.user
    if login is None:
        return None
    user_id: UUID | None = container.scopes().user_named(composed_login(login))
    if user_id is None:
        raise InvalidInput("WORKER__USER", f"there is no user named {login}")
    return user_id
