"""Refresh tokens in memory."""

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from typing_extensions import override

from application.ports.refresh_tokens import RefreshTokens
from tests.fakes.accounts import Accounts, Token


@dataclass
class InMemoryRefreshTokens(RefreshTokens):
    accounts: Accounts

    @override
    def start_family(self, user_id: UUID, digest: bytes, lifetime: timedelta) -> bool:
        if not self._enabled(user_id):
            return False
        self._keep(user_id, len(self.accounts.tokens), digest, lifetime)
        return True

    @override
    def exchange(self, digest: bytes, successor: bytes, lifetime: timedelta) -> UUID | None:
        token = self.accounts.tokens.get(digest)
        if token is None:
            return None
        if token.used:
            self.revoke_family(digest)
            return None
        expired = token.expires_at <= self.accounts.clock.now()
        if token.revoked or expired or not self._enabled(token.user_id):
            return None
        token.used = True
        self._keep(token.user_id, token.family, successor, lifetime)
        return token.user_id

    @override
    def revoke_family(self, digest: bytes) -> None:
        presented = self.accounts.tokens.get(digest)
        for token in self.accounts.tokens.values():
            token.revoked |= presented is not None and token.family == presented.family

    def _enabled(self, user_id: UUID) -> bool:
        user = self.accounts.users.get(user_id)
        return user is not None and not user.is_disabled

    def _keep(self, user_id: UUID, family: int, digest: bytes, lifetime: timedelta) -> None:
        self.accounts.tokens[digest] = Token(user_id, family, self.accounts.clock.now() + lifetime)
