"""The API as gunicorn serves it: one per gunicorn worker."""

import logging
from typing import Any

from domain.errors import DatabaseUnavailable, DomainError
from entrypoints.api.app import create_app
from entrypoints.api.connection import offer_abort
from entrypoints.api.container import ApiContainer
from entrypoints.common.settings import Settings
from entrypoints.common.status_server import StatusServer

APP_LOAD_ERROR = 4  # gunicorn's word for "no use in starting another worker"

log = logging.getLogger(__name__)


class ApiHost:
    """An ASGI application that owns what it is made of."""

    def __init__(self, container: ApiContainer) -> None:
        self._container = container
        self._app = create_app(container)
        self._status = _status_server(container)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            offer_abort(scope, receive)
        await self._app(scope, receive, send)

    def begin_stop(self) -> None:
        """End what would not end by itself; called on the loop when the host is told to stop."""
        self._container.hub().begin_stop()

    def close(self) -> None:
        """Give threads, ports and connections back."""
        if self._status is not None:
            self._status.stop()
        for offload in (
            self._container.offload(),
            self._container.log_in_offload(),
            self._container.hub_offload(),
            self._container.proxy_offload(),
        ):
            offload.close()
        self._container.engine().dispose()
        self._container.database.queue_engine().dispose()


def _status_server(container: ApiContainer) -> StatusServer | None:
    """For monitors, where it is wanted."""
    if container.settings().status.api_port is None:
        return None
    container.queue_collector()
    container.watched_streams()
    server: StatusServer = container.status_server()
    server.start()
    return server


def create_host() -> ApiHost:
    """The host over the environment's settings; where it can't start, one line says why."""
    try:
        container = ApiContainer(settings=Settings())
        _check_schema(container)
        return ApiHost(container)
    except DomainError as error:
        log.critical("the API can't start: %s", error)
        raise SystemExit(APP_LOAD_ERROR) from error


def _check_schema(container: ApiContainer) -> None:
    """A wrong schema stops the start; an absent database may yet come, and readyz tells."""
    try:
        container.check_readiness()()
    except DatabaseUnavailable as error:
        log.warning("the API starts without its database: %s", error, exc_info=error)
