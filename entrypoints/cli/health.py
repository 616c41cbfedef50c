"""`anichron-health`: asks the host of this container whether it is ready; for HEALTHCHECK.

It runs every few seconds in every container, so it loads nothing but what it needs.
"""

import os
import sys
from http.client import HTTPConnection, HTTPException

VARIABLES = ("STATUS__API_PORT", "STATUS__WORKER_PORT")
SECONDS = 8.0


def main() -> None:
    """Exit status 0 where a status port of this container answers that its host is ready."""
    ports = {os.environ[name] for name in VARIABLES if os.environ.get(name)}
    answers = [_answer(int(port)) for port in sorted(ports)]
    print(*answers, sep="\n")  # noqa: T201  # what `docker inspect` shows
    sys.exit(0 if any(answer.startswith("200 ") for answer in answers) else 1)


def _answer(port: int) -> str:
    try:
        connection = HTTPConnection("127.0.0.1", port, timeout=SECONDS)
        connection.request("GET", "/readyz")
        response = connection.getresponse()
        return f"{response.status} {response.read(1_000).decode(errors='replace').strip()}"
    except (OSError, HTTPException) as error:
        return f"port {port}: {error}"
