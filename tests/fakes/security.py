"""Passwords and access tokens in memory: readable on purpose."""

from dataclasses import dataclass, field

from typing_extensions import override

from application.ports.access_tokens import AccessClaims, AccessTokens
from application.ports.password_hasher import PasswordHasher
from domain.identity.access import NotAuthenticated


@dataclass
class InMemoryPasswordHasher(PasswordHasher):
    """Remembers what it was asked to check."""

    checked: list[tuple[str, str]] = field(default_factory=list)

    @override
    def hash(self, password: str) -> str:
        return f"hash of {password}"

    @override
    def matches(self, password: str, password_hash: str) -> bool:
        self.checked.append((password, password_hash))
        return password_hash == f"hash of {password}"

    @override
    def decoy(self) -> str:
        return "decoy"


@dataclass
class InMemoryAccessTokens(AccessTokens):
    """Keeps the claims of each token that it signed."""

    signed: dict[str, AccessClaims] = field(default_factory=dict)

    @override
    def sign(self, claims: AccessClaims) -> str:
        token = f"access-{len(self.signed)}"
        self.signed[token] = claims
        return token

    @override
    def read(self, token: str) -> AccessClaims:
        if token not in self.signed:
            raise NotAuthenticated("the access token is not valid")
        return self.signed[token]
