"""Which API, as whom: from options, the environment, or what `anichron up` left on this machine."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from domain.errors import InvalidInput
from entrypoints.cli.api_client.address import ApiAddress
from entrypoints.cli.api_client.connection import ApiConnection
from entrypoints.cli.api_client.session import Credentials, Session
from entrypoints.cli.first_run import ADMIN, PASSWORD_FILE
from entrypoints.common.secret_file import secret_in
from entrypoints.common.settings import Settings

PASSWORD_VARIABLE = "ANICHRON_API_PASSWORD"  # noqa: S105  # a variable's name
LOOPBACKS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  # nothing is bound here

Url: TypeAlias = Annotated[
    str | None,
    typer.Option("--url", envvar="ANICHRON_API_URL", help="of the API; unset = this machine's"),
]
User: TypeAlias = Annotated[
    str, typer.Option("--user", envvar="ANICHRON_API_USER", help="name or e-mail of an admin")
]
PasswordFile: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--password-file",
        envvar="ANICHRON_API_PASSWORD_FILE",
        help="else ANICHRON_API_PASSWORD, else what `up` left here, else a prompt",
    ),
]
PlainHttp: TypeAlias = Annotated[
    bool, typer.Option("--plain-http", help="send the password over http to another machine")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogIn:
    """What the options say."""

    url: str | None
    user: str
    password_file: Path | None
    plain_http: bool

    def session(self) -> Session:
        """Not logged in yet; InvalidInput where the address or the password is not to be had."""
        settings = Settings()
        url = self.url or _own_url(settings)
        address = ApiAddress.parse(url, may_be_plain=self.plain_http)
        credentials = Credentials(user=self.user, password=self._password(address, settings))
        return Session(connection=ApiConnection(address=address), credentials=credentials)

    def _password(self, address: ApiAddress, settings: Settings) -> str:
        if self.password_file is not None:
            return secret_in(self.password_file, "--password-file")
        if given := os.environ.get(PASSWORD_VARIABLE):
            return given
        left = settings.home / PASSWORD_FILE
        if address.is_local() and self.user == ADMIN and os.access(left, os.R_OK):
            return secret_in(left, "--password-file")
        if not sys.stdin.isatty():
            raise InvalidInput(
                "--password-file", f"is needed, or {PASSWORD_VARIABLE}, where nobody can be asked"
            )
        asked: str = typer.prompt(f"Password of {self.user}", hide_input=True, err=True)
        return asked


def _own_url(settings: Settings) -> str:
    host = LOOPBACKS.get(settings.address, settings.address)
    return f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"
