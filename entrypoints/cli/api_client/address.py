"""Where the API is, and whether a password may go there."""

import ipaddress
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

from typing_extensions import override

from domain.errors import InvalidInput

OPTION = "--url"
PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiAddress:
    """The parts of a URL that a connection needs; `path` is what stands before `/api/v1`."""

    is_secure: bool
    host: str
    port: int
    path: str

    @classmethod
    def parse(cls, url: str, *, may_be_plain: bool) -> Self:
        """InvalidInput for what is no URL, and for one that would show the password to a network.

        `may_be_plain`: http to another machine is wanted.
        """
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError as error:
            raise InvalidInput(OPTION, f"{url} is no URL: {error}") from error
        if parts.scheme not in PORTS or not parts.hostname:
            raise InvalidInput(OPTION, f"{url} is no URL that begins with http:// or https://")
        if parts.username is not None:
            raise InvalidInput(OPTION, "must not hold a user or a password; there is --user")
        address = cls(
            is_secure=parts.scheme == "https",
            host=parts.hostname,
            port=port or PORTS[parts.scheme],
            path=parts.path.rstrip("/"),
        )
        if not (address.is_secure or address.is_local() or may_be_plain):
            raise InvalidInput(
                OPTION,
                f"{url} would send the password unencrypted; use https, or --plain-http where"
                " everybody on the way is trusted",
            )
        return address

    def is_local(self) -> bool:
        """Whether it is this machine by its name or address."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @override
    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http{'s' if self.is_secure else ''}://{host}:{self.port}{self.path}"
