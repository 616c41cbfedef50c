"""What the in-memory users, tokens and folders share, as tables share a database."""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from domain.identity.user import User
from domain.library.storage_config import StorageConfig
from tests.fakes.host_clock import InMemoryClock


@dataclass
class Token:
    user_id: UUID
    family: int
    expires_at: datetime
    used: bool = False
    revoked: bool = False


@dataclass
class Accounts:
    clock: InMemoryClock = field(default_factory=InMemoryClock)
    users: dict[UUID, User] = field(default_factory=dict)
    password_hashes: dict[UUID, str] = field(default_factory=dict)
    tokens: dict[bytes, Token] = field(default_factory=dict)
    configs: dict[UUID, StorageConfig] = field(default_factory=dict)

    def revoke_tokens_of(self, user_id: UUID) -> None:
        for token in self.tokens.values():
            token.revoked |= token.user_id == user_id
