"""Deleting refresh tokens that nobody can use any more."""

from abc import abstractmethod
from typing import Protocol

from domain.work.attempt import AttemptTag


class ExpiredTokenPurger(Protocol):
    @abstractmethod
    def purge(self, tag: AttemptTag, *, most: int) -> int:
        """Delete at most so many expired tokens; how many it were.

        Fewer than `most`: none is left. One short transaction that proves the claim of `tag`
        (ClaimLost). DatabaseUnavailable.
        """
