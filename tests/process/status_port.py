"""What a host tells monitors."""

from contextlib import closing
from http.client import HTTPConnection


def ask(port: int, path: str) -> tuple[int, str]:
    """Status and body; 0 where nobody listens."""
    try:
        with closing(HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
    except OSError:
        return 0, "nobody listens"
