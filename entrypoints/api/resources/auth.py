"""Log-in, refresh and log-out."""

import logging
from http import HTTPStatus

import falcon.asgi

from application.use_cases.log_in import LogIn
from application.use_cases.log_out import LogOut
from application.use_cases.refresh_log_in import RefreshLogIn
from domain.identity.access import NotAuthenticated
from entrypoints.api.answers import show
from entrypoints.api.client_address import ClientAddress
from entrypoints.api.dto import LogInRequest, NoQuery, RefreshTokenRequest, TokenView
from entrypoints.api.offload import Offload
from entrypoints.api.reading import read_body, read_query

log = logging.getLogger(__name__)


class AuthResource:
    """Three routes over one resource, told apart by suffix."""

    def __init__(
        self,
        *,
        log_in: LogIn,
        refresh_log_in: RefreshLogIn,
        log_out: LogOut,
        client_address: ClientAddress,
        offload: Offload,
        log_in_offload: Offload,
    ) -> None:
        self._log_in = log_in
        self._refresh_log_in = refresh_log_in
        self._log_out = log_out
        self._client_address = client_address
        self._offload = offload
        self._log_in_offload = log_in_offload

    async def on_post_login(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        read_query(req, NoQuery)
        body = await read_body(req, LogInRequest)
        network = self._client_address(req)
        try:
            pair = await self._log_in_offload(
                self._log_in, body.username, body.password, network=network
            )
        except NotAuthenticated:
            # As often as hashes are checked. The name stays out: people type passwords there.
            log.info("a log-in from %s failed", network)
            raise
        show(resp, TokenView.of(pair))

    async def on_post_refresh(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        read_query(req, NoQuery)
        body = await read_body(req, RefreshTokenRequest)
        show(resp, TokenView.of(await self._offload(self._refresh_log_in, body.refresh_token)))

    async def on_post_logout(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        read_query(req, NoQuery)
        body = await read_body(req, RefreshTokenRequest)
        await self._offload(self._log_out, body.refresh_token)
        resp.status = HTTPStatus.NO_CONTENT.value
