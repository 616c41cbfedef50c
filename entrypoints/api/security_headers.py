"""What every answer tells browsers and caches, whoever made it: the API, falcon or gunicorn."""

from typing import Final

import falcon
import falcon.asgi

ALWAYS: Final = {
    # An answer is what its type says, and no page, script, frame or picture of another site's.
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": (
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    # Instead of gunicorn's own, which names the software that answers.
    "Server": "Anichron",
}
UNLESS_SAID: Final = {"Cache-Control": "no-store"}
"""Answers may hold tokens and other people's affairs."""


class SecurityHeaders:
    """Middleware. A resource that sets one of the headers itself knows better, as a page does."""

    async def process_response(
        self,
        req: falcon.asgi.Request,  # noqa: ARG002  # falcon's signature
        resp: falcon.asgi.Response,
        resource: object,  # noqa: ARG002
        req_succeeded: bool,  # noqa: ARG002
    ) -> None:
        for name, value in (ALWAYS | UNLESS_SAID).items():
            if resp.get_header(name) is None:
                resp.set_header(name, value)
