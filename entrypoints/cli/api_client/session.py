"""One log-in, for as long as one command runs.

Its tokens stay in memory and end with it. A token in a file would be an admin's power for whoever
reads the file, and would need a lock, because a refresh token is good once; a log-in costs one
check of a password.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from types import TracebackType
from typing import Self

from domain.errors import DomainError
from entrypoints.cli.api_client.connection import Answer, ApiConnection
from entrypoints.cli.api_client.faults import ApiFault, ApiRefused


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """Who logs in."""

    user: str
    password: str = field(repr=False)


@dataclass(slots=True, kw_only=True)
class Session:
    """Logged in within its block; ApiRefused where the password is not accepted."""

    connection: ApiConnection
    credentials: Credentials
    _access: str = field(default="", init=False, repr=False)
    _refresh: str = field(default="", init=False, repr=False)

    def __enter__(self) -> Self:
        body = {"username": self.credentials.user, "password": self.credentials.password}
        self._take(self.connection.call("POST", "/auth/login", body=body))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with suppress(DomainError):  # it ends by itself, only later
            self.connection.call("POST", "/auth/logout", body={"refreshToken": self._refresh})

    def call(self, method: str, path: str) -> Answer:
        """One request in this user's name; a token that ran out is renewed once."""
        answer = self.connection.call(method, path, token=self._access)
        if answer.status != HTTPStatus.UNAUTHORIZED:
            return answer
        self._renew()
        return self.connection.call(method, path, token=self._access)

    @contextmanager
    def stream(self, path: str, last_event_id: str | None) -> Iterator[Iterator[bytes]]:
        """A stream in this user's name; it ends when the token that opened it does."""
        with ExitStack() as stack:
            try:
                lines = stack.enter_context(self._stream(path, last_event_id))
            except ApiRefused:
                self._renew()
                lines = stack.enter_context(self._stream(path, last_event_id))
            yield lines

    def _stream(
        self, path: str, last_event_id: str | None
    ) -> AbstractContextManager[Iterator[bytes]]:
        return self.connection.stream(path, self._access, last_event_id)

    def _renew(self) -> None:
        body = {"refreshToken": self._refresh}
        self._take(self.connection.call("POST", "/auth/refresh", body=body))

    def _take(self, answer: Answer) -> None:
        tokens = answer.accepted(HTTPStatus.OK)
        try:
            self._access, self._refresh = tokens["accessToken"], tokens["refreshToken"]
        except (KeyError, TypeError) as error:
            raise ApiFault("the answer to the log-in holds no tokens") from error
