from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from application.ports.users import NewUser
from application.use_cases.log_in import LogIn
from application.use_cases.refresh_log_in import RefreshLogIn
from application.use_cases.sign_token_pair import SignTokenPair
from domain.identity.user import User
from tests.fakes.accounts import Accounts
from tests.fakes.log_in_attempts import InMemoryLogInAttempts
from tests.fakes.refresh_tokens import InMemoryRefreshTokens
from tests.fakes.security import InMemoryAccessTokens, InMemoryPasswordHasher
from tests.fakes.storage_configs import InMemoryStorageConfigs
from tests.fakes.users import InMemoryUsers

REFRESH_LIFETIME = timedelta(days=30)


@dataclass
class World:
    """The in-memory ports over one state, and the use cases that need several of them."""

    accounts: Accounts = field(default_factory=Accounts)
    password_hasher: InMemoryPasswordHasher = field(default_factory=InMemoryPasswordHasher)
    access_tokens: InMemoryAccessTokens = field(default_factory=InMemoryAccessTokens)

    def __post_init__(self) -> None:
        self.clock = self.accounts.clock
        self.users = InMemoryUsers(self.accounts)
        self.attempts = InMemoryLogInAttempts(self.accounts)
        self.refresh_tokens = InMemoryRefreshTokens(self.accounts)
        self.storage_configs = InMemoryStorageConfigs(self.accounts)
        self.sign = SignTokenPair(
            access_tokens=self.access_tokens, clock=self.clock, lifetime=timedelta(minutes=15)
        )
        self.log_in = LogIn(
            users=self.users,
            attempts=self.attempts,
            password_hasher=self.password_hasher,
            refresh_tokens=self.refresh_tokens,
            sign=self.sign,
            refresh_lifetime=REFRESH_LIFETIME,
        )
        self.refresh = RefreshLogIn(
            refresh_tokens=self.refresh_tokens, sign=self.sign, refresh_lifetime=REFRESH_LIFETIME
        )

    def user(self, name: str, *, admin: bool = False) -> User:
        return self.users.add(
            NewUser(
                name=name,
                email=f"{name}@example.org",
                password_hash=f"hash of {name}'s password",
                is_admin=admin,
            )
        )


@pytest.fixture
def world() -> World:
    return World()
