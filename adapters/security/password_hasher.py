"""Password hashes by argon2id."""

import secrets
import threading

import argon2
from typing_extensions import override

from application.ports.password_hasher import PasswordHasher

# Each hash takes 64 MiB; a flood of log-ins must not take the machine's memory.
HASHES_AT_ONCE = 2


class Argon2PasswordHasher(PasswordHasher):
    """argon2id with the parameters of RFC 9106 for machines with little memory."""

    def __init__(self) -> None:
        self._argon2 = argon2.PasswordHasher.from_parameters(argon2.profiles.RFC_9106_LOW_MEMORY)
        self._slots = threading.BoundedSemaphore(HASHES_AT_ONCE)
        self._decoy = self.hash(secrets.token_urlsafe())

    @override
    def hash(self, password: str) -> str:
        with self._slots:
            return self._argon2.hash(password)

    @override
    def matches(self, password: str, password_hash: str) -> bool:
        try:
            with self._slots:
                return self._argon2.verify(password_hash, password)
        except (argon2.exceptions.VerificationError, ValueError):
            return False

    @override
    def decoy(self) -> str:
        return self._decoy
