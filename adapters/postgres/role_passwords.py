"""Gives roles their passwords, hashed before they leave this host."""

from collections.abc import Mapping

import psycopg
from psycopg import sql
from sqlalchemy import Engine

from adapters.postgres.connections import one_transaction

HASH = b"scram-sha-256"


def set_role_passwords(engine: Engine, passwords: Mapping[str, str]) -> None:
    """Set those that are given; a server that logs statements logs no password.

    DatabaseUnavailable. Whoever connects needs the right to change roles.
    """
    if not passwords:
        return
    with one_transaction(engine) as connection:
        driver = connection.connection.driver_connection
        assert isinstance(driver, psycopg.Connection)  # noqa: S101  # the engine's driver
        for role, password in passwords.items():
            hashed = driver.pgconn.encrypt_password(password.encode(), role.encode(), HASH)
            driver.execute(
                sql.SQL("ALTER ROLE {} PASSWORD {}").format(
                    sql.Identifier(role), sql.Literal(hashed.decode())
                )
            )
