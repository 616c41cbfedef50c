"""An admin at the API, who notes every answer."""

import json
import time
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any

from tests.chaos.history import ApiAnswer

PREFIX = "/api/v1"
CLIENT_LIMIT_SECONDS = 25.0
"""Longer than the API may take, so that what it takes is seen."""


@dataclass
class ApiClient:
    """Callable from any thread: each request has a connection of its own."""

    port: int
    token: str = ""
    answers: list[ApiAnswer] = field(default_factory=list)

    def log_in(self, name: str, password: str) -> None:
        status, body = self.call("POST", "/auth/login", {"username": name, "password": password})
        if status != 200:
            raise RuntimeError(f"the log-in was answered with {status}: {body}")
        self.token = str(body["accessToken"])

    def call(
        self, method: str, path: str, body: object = None, what: str = ""
    ) -> tuple[int | None, Any]:
        """Status and JSON body; status None where no answer came. `what` names it in the notes."""
        what = what or f"{method} {path.partition('?')[0]}"
        began = time.time()
        connection = HTTPConnection("127.0.0.1", self.port, timeout=CLIENT_LIMIT_SECONDS)
        try:
            response = self.send(connection, method, path, body)
            text = response.read()
            # gunicorn's last words to a request that came as it stopped have no JSON.
            shown = json.loads(text) if text else None
        except (OSError, HTTPException, ValueError) as error:
            self.note(what, began, None, reason=f"{type(error).__name__}: {error}")
            return None, None
        finally:
            connection.close()
        retry_after = response.getheader("Retry-After") is not None
        self.note(what, began, response.status, retry_after=retry_after)
        return response.status, shown

    def send(
        self,
        connection: HTTPConnection,
        method: str,
        path: str,
        body: object = None,
        headers: dict[str, str] | None = None,
    ) -> HTTPResponse:
        """The answer as it begins."""
        connection.request(
            method,
            PREFIX + path,
            body=None if body is None else json.dumps(body),
            headers={
                **({} if body is None else {"Content-Type": "application/json"}),
                **({"Authorization": f"Bearer {self.token}"} if self.token else {}),
                **(headers or {}),
            },
        )
        return connection.getresponse()

    def note(
        self,
        what: str,
        began: float,
        status: int | None,
        *,
        retry_after: bool = False,
        reason: str = "",
    ) -> None:
        self.answers.append(
            ApiAnswer(
                what=what,
                began=began,
                ended=time.time(),
                status=status,
                retry_after=retry_after,
                reason=reason,
            )
        )
