"""Decides, before any resource is reached, whether the caller may reach it."""

import falcon
import falcon.asgi

from application.use_cases.authenticate import Authenticate
from domain.identity.access import Caller, NotAuthenticated
from entrypoints.api.offload import Offload

GUARDED_PREFIX = "/api/"
ADMIN_PREFIX = "/api/v1/admin/"
PUBLIC = frozenset(
    {
        "/api/v1/auth/login",
        "/api/v1/auth/refresh",
        "/api/v1/auth/logout",
        "/api/v1/healthz",
        "/api/v1/readyz",
        "/api/v1/openapi.json",
    }
)


class Authentication:
    """Middleware. It looks at the route that matched, never at the path as it was written."""

    def __init__(self, authenticate: Authenticate, offload: Offload) -> None:
        self._authenticate = authenticate
        self._offload = offload

    async def process_resource(
        self,
        req: falcon.asgi.Request,
        resp: falcon.asgi.Response,  # noqa: ARG002  # falcon's signature
        resource: object,  # noqa: ARG002
        params: dict[str, object],  # noqa: ARG002
    ) -> None:
        route = req.uri_template or GUARDED_PREFIX
        if route in PUBLIC or not route.startswith(GUARDED_PREFIX):
            return
        caller = await self._offload(self._authenticate, bearer_token(req))
        if route.startswith(ADMIN_PREFIX):
            caller.require_admin()
        req.context.caller = caller


def caller_of(req: falcon.asgi.Request) -> Caller:
    """Who is behind a request that passed."""
    caller: Caller = req.context.caller
    return caller


def bearer_token(req: falcon.asgi.Request) -> str:
    """The token in the Authorization header; NotAuthenticated when there is none."""
    scheme, _, token = (req.get_header("Authorization") or "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise NotAuthenticated("an access token is needed: Authorization: Bearer …")
    return token.strip()
