"""An admin for hosts that check passwords as in an installation."""

from sqlalchemy import Engine

from adapters.postgres.users import PostgresUsers
from adapters.security.password_hasher import Argon2PasswordHasher
from application.ports.users import NewUser
from domain.identity.user import User


def add_admin(engine: Engine, name: str, password: str) -> User:
    return PostgresUsers(engine=engine).add(
        NewUser(
            name=name,
            email=f"{name}@example.org",
            password_hash=Argon2PasswordHasher().hash(password),
            is_admin=True,
        )
    )
