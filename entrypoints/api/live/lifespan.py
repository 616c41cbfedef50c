"""Ties the live view to the life of the host's event loop."""

from collections.abc import Mapping
from typing import Any

from entrypoints.api.live.hub import Hub


class LiveView:
    """Middleware that only watches the host start and stop."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    async def process_startup(self, scope: Mapping[str, Any], event: Mapping[str, Any]) -> None:  # noqa: ARG002
        self._hub.start()

    async def process_shutdown(self, scope: Mapping[str, Any], event: Mapping[str, Any]) -> None:  # noqa: ARG002
        await self._hub.stop()
