"""The two implementations of the ports for users, tokens and folders, by one name each."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Engine, text

from adapters.postgres.log_in_attempts import PostgresLogInAttempts
from adapters.postgres.refresh_tokens import PostgresRefreshTokens
from adapters.postgres.storage_configs import PostgresStorageConfigs
from adapters.postgres.users import PostgresUsers
from application.ports.log_in_attempts import LogInAttempts
from application.ports.refresh_tokens import RefreshTokens
from application.ports.storage_configs import StorageConfigs
from application.ports.users import NewUser, Users
from domain.identity.user import User
from tests.fakes.accounts import Accounts
from tests.fakes.log_in_attempts import InMemoryLogInAttempts, rules
from tests.fakes.refresh_tokens import InMemoryRefreshTokens
from tests.fakes.storage_configs import InMemoryStorageConfigs
from tests.fakes.users import InMemoryUsers

UNIT = timedelta(minutes=1)
"""Of what log-ins wait: while a test runs, a real clock goes on by less."""


@dataclass(frozen=True, kw_only=True)
class AccountsPorts:
    users: Users
    refresh_tokens: RefreshTokens
    storage_configs: StorageConfigs
    attempts: LogInAttempts
    advance: Callable[[timedelta], None]
    """Let time pass, as far as log-ins are concerned."""

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
        attempts=InMemoryLogInAttempts(accounts, rules=rules(unit=UNIT)),
        advance=accounts.clock.move,
    )


def in_postgres(engine: Engine) -> AccountsPorts:
    def advance(span: timedelta) -> None:
        """The database's clock cannot be moved, so what is stored moves into the past."""
        with engine.begin() as connection:
            for table, column in (
                ("log_in_failures", "last_failed_at"),
                ("log_in_addresses", "last_success_at"),
            ):
                moved = f"UPDATE {table} SET {column} = {column} - :span"
                connection.execute(text(moved), {"span": span})

    return AccountsPorts(
        users=PostgresUsers(engine=engine),
        refresh_tokens=PostgresRefreshTokens(engine=engine),
        storage_configs=PostgresStorageConfigs(engine=engine),
        attempts=PostgresLogInAttempts(engine=engine, rules=rules(unit=UNIT)),
        advance=advance,
    )
