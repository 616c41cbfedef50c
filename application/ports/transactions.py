"""A caller's transaction, opaque to whoever hands it on."""

from abc import abstractmethod
from contextlib import AbstractContextManager
from typing import Protocol


class Transaction(Protocol):
    """An open transaction. Only the adapter that began it can look inside."""


class Transactions(Protocol):
    @abstractmethod
    def begin(self) -> AbstractContextManager[Transaction]:
        """A transaction that commits at the end of the block and rolls back on an exception.

        DatabaseUnavailable, from the block's end too: then nobody knows whether it committed.
        """
