"""Errors that name a broken rule. Hosts translate them; nothing here knows HTTP or SQL."""


class DomainError(Exception):
    """A rule of the domain was broken; the message is fit for a person and names no media."""


class InvalidInput(DomainError):
    """A value that a person or a caller gave does not satisfy the rule that is named."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.reason = message


class NotFound(DomainError):
    """What was asked for does not exist."""


class Conflict(DomainError):
    """The request contradicts what is already there."""


class DatabaseUnavailable(DomainError):
    """The database did not answer within its limit; the caller may try again."""


class DatabaseLost(DatabaseUnavailable):
    """The session broke, or none could be had: whatever was under way may be begun anew."""
