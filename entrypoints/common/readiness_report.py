"""Whether the database can serve this host, as one line for a monitor."""

from application.use_cases.check_readiness import CheckReadiness
from domain.errors import DomainError


def why_not_ready(check: CheckReadiness) -> str | None:
    """The reason; None where it is ready. Names no address: whoever asks is not known."""
    try:
        check()
    except DomainError as error:
        return str(error)
    return None


def always_alive() -> None:
    """Of a host whose answer is all that there is to know."""
