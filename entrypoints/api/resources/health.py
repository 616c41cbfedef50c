"""Whether this host is alive, and whether it can serve."""

import falcon.asgi

from application.use_cases.check_readiness import CheckReadiness
from entrypoints.api.answers import show
from entrypoints.api.dto import HealthView
from entrypoints.api.offload import Offload


class AliveResource:
    """Answers from the event loop alone, so that a busy or absent database does not show here."""

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:  # noqa: ARG002
        show(resp, HealthView(status="alive"))


class ReadyResource:
    """503 while the database is away or its schema is another release's."""

    def __init__(self, *, check_readiness: CheckReadiness, offload: Offload) -> None:
        self._check = check_readiness
        self._offload = offload

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:  # noqa: ARG002
        await self._offload(self._check)
        show(resp, HealthView(status="ready"))
