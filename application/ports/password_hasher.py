"""Turns passwords into what may be stored."""

from abc import abstractmethod
from typing import Protocol


class PasswordHasher(Protocol):
    """A slow, salted hash."""

    @abstractmethod
    def hash(self, password: str) -> str:
        """The hash to store, with its salt and parameters in it."""

    @abstractmethod
    def matches(self, password: str, password_hash: str) -> bool:
        """Whether the hash is this password's; False also for a hash that can't be read."""

    @abstractmethod
    def decoy(self) -> str:
        """A hash that no password matches and that takes as long to check as any other."""
