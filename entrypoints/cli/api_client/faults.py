"""What can go wrong between the command line and the API."""

from domain.errors import DomainError


class ApiUnreachable(DomainError):
    """No answer came, or one that asks to come again; the same call may work later."""


class ApiRefused(DomainError):
    """The API does not accept who is asking, or what they ask for is not theirs to do."""


class ApiFault(DomainError):
    """The API's answer is an error, or nothing that this release understands."""
