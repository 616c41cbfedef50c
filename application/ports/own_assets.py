"""Whose an asset is."""

from abc import abstractmethod
from typing import Protocol
from uuid import UUID


class OwnAssets(Protocol):
    """The living assets of a user's folders."""

    @abstractmethod
    def content_of(self, owner: UUID, asset_id: UUID) -> str | None:
        """The hash of the asset's content; DatabaseUnavailable.

        None: there is no such asset, it is deleted, or another user's.
        """
