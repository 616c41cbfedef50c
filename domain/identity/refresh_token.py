"""Refresh tokens: what is handed out and what is kept."""

import hashlib
import secrets

ENTROPY_BYTES = 32


def new_secret() -> str:
    """A fresh token of 256 random bits, safe in URLs and headers."""
    return secrets.token_urlsafe(ENTROPY_BYTES)


def digest_of(secret: str) -> bytes:
    """What is stored instead of the token: its SHA-256.

    A slow hash would buy nothing, as 256 random bits can't be guessed.
    """
    return hashlib.sha256(secret.encode()).digest()
