"""What a log-in name is compared with."""

from sqlalchemy import ColumnElement, func, or_

from adapters.postgres.tables import USERS


def has_login(login: str) -> ColumnElement[bool]:
    """Whether a user's name or e-mail address is this one, whatever the case."""
    wanted = func.lower(login)
    return or_(func.lower(USERS.c.name) == wanted, func.lower(USERS.c.email) == wanted)
