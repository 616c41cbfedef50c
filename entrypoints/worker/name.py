"""How a Worker calls itself."""

import socket

from entrypoints.common.settings import Settings

EVERYONE = "all"


def worker_name(settings: Settings) -> str:
    """For display: whom it serves, at which host."""
    return f"{settings.worker.user or EVERYONE}@{socket.gethostname()}"
