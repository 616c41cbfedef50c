"""The API as gunicorn serves it: one per gunicorn worker."""

from typing import Any

from entrypoints.api.app import create_app
from entrypoints.api.connection import offer_abort
from entrypoints.api.container import ApiContainer
from entrypoints.common.logging import configure_logging
from entrypoints.common.settings import Settings


class ApiHost:
    """An ASGI application that owns what it is made of."""

    def __init__(self, container: ApiContainer) -> None:
        self._container = container
        self._app = create_app(container)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            offer_abort(scope, receive)
        await self._app(scope, receive, send)

    def begin_stop(self) -> None:
        """End what would not end by itself; called on the loop when the host is told to stop."""
        self._container.hub().begin_stop()

    def close(self) -> None:
        """Give threads and connections back."""
        self._container.offload().close()
        self._container.engine().dispose()


def create_host() -> ApiHost:
    """The host over the environment's settings."""
    settings = Settings()
    configure_logging(settings, host="api")
    return ApiHost(ApiContainer(settings=settings))
