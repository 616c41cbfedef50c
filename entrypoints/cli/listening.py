"""Whether a host could listen where it is told to: one line here, many in the server's log."""

import errno
import socket
import time

from domain.errors import InvalidInput
from entrypoints.common.settings import Settings

# Who held the port may be on its way out: a host that is started again comes soon after.
PATIENCE_SECONDS = 5.0
PAUSE_SECONDS = 0.2


def check_listening(settings: Settings, patience: float = 0) -> None:
    """InvalidInput that names the setting, where it is not possible for `patience` seconds."""
    until = time.monotonic() + patience
    while True:
        try:
            return _listen_once(settings.address, settings.port)
        except OSError as error:
            is_for_now = error.errno == errno.EADDRINUSE
            if not is_for_now or time.monotonic() >= until:
                raise _refusal(settings, error) from error
        time.sleep(PAUSE_SECONDS)


def _listen_once(address: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((address, port))


def _refusal(settings: Settings, error: OSError) -> InvalidInput:
    reason = f"cannot listen on {settings.address}:{settings.port}: {error.strerror}"
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return InvalidInput("ADDRESS", f"{reason}; it must be an address of this machine")
    return InvalidInput("PORT", f"{reason}; choose another, such as PORT=8277")
