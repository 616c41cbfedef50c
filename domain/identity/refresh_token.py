"""Refresh tokens: what is handed out and what is kept."""

import hashlib
import secrets

ENTROPY_BITS = 256


def new_secret() -> str:
    """A fresh token of 256 random bits, as 64 hexadecimal digits."""
    return f"{secrets.randbits(ENTROPY_BITS):064x}"


def digest_of(secret: str) -> bytes:
    """What is stored instead of the token: its SHA-256.

    A slow hash would buy nothing, as 256 random bits can't be guessed.
    """
    return hashlib.sha256(secret.encode()).digest()
