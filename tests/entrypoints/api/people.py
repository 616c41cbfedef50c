"""Users who are no admins, and their clients."""

from dataclasses import replace

from application.ports.users import NewUser
from domain.identity.user import User
from entrypoints.api.container import ApiContainer
from tests.entrypoints.api.client import Client


def add_user(container: ApiContainer, name: str) -> User:
    return container.users().add(
        NewUser(
            name=name,
            email=f"{name}@example.org",
            password_hash=f"hash of {name}'s password",
            is_admin=False,
        )
    )


def logged_in(anonymous: Client, user: User) -> Client:
    tokens = anonymous.log_in(user.name, f"{user.name}'s password")
    return replace(anonymous, token=tokens["accessToken"])
