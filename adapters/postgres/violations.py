"""Which rule of the schema a statement broke."""

import psycopg
from sqlalchemy.exc import IntegrityError


def constraint_of(error: IntegrityError) -> str | None:
    """The constraint or unique index that refused the row."""
    original = error.orig
    return original.diag.constraint_name if isinstance(original, psycopg.Error) else None
