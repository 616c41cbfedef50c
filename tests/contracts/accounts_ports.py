"""The two implementations of the ports for users, tokens and folders, by one name each."""

from dataclasses import dataclass

from sqlalchemy import Engine

from adapters.postgres.refresh_tokens import PostgresRefreshTokens
from adapters.postgres.storage_configs import PostgresStorageConfigs
from adapters.postgres.users import PostgresUsers
from application.ports.refresh_tokens import RefreshTokens
from application.ports.storage_configs import StorageConfigs
from application.ports.users import NewUser, Users
from domain.identity.user import User
from tests.fakes.accounts import Accounts
from tests.fakes.refresh_tokens import InMemoryRefreshTokens
from tests.fakes.storage_configs import InMemoryStorageConfigs
from tests.fakes.users import InMemoryUsers


@dataclass(frozen=True, kw_only=True)
class AccountsPorts:
    users: Users
    refresh_tokens: RefreshTokens
    storage_configs: StorageConfigs

    def user(self, name: str, *, admin: bool = False) -> User:
        return self.users.add(
            NewUser(
                name=name,
                email=f"{name}@example.org",
                password_hash=f"hash of {name}",
                is_admin=admin,
            )
        )


def in_memory() -> AccountsPorts:
    accounts = Accounts()
    return AccountsPorts(
        users=InMemoryUsers(accounts),
        refresh_tokens=InMemoryRefreshTokens(accounts),
        storage_configs=InMemoryStorageConfigs(accounts),
    )


def in_postgres(engine: Engine) -> AccountsPorts:
    return AccountsPorts(
        users=PostgresUsers(engine=engine),
        refresh_tokens=PostgresRefreshTokens(engine=engine),
        storage_configs=PostgresStorageConfigs(engine=engine),
    )
