"""Writes down what became of each file: one transaction a file."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from application.ports.crawl_listing import ListedChange
from domain.library.asset import DevelopedAsset
from domain.library.resolution import Resolution
from domain.library.signature import Content
from domain.library.verdict import FailReason, SkipReason


@dataclass(frozen=True, slots=True, kw_only=True)
class Leftover:
    """An asset whose file was being decoded when an earlier run died."""

    asset_id: UUID
    is_asset: bool
    """Whether the asset exists; if not, its proxies are orphans."""


class AssetLedger(Protocol):
    """Each method proves the claim in its transaction and raises ClaimLost without it."""

    @abstractmethod
    def leftovers(self) -> Sequence[Leftover]:
        """What earlier runs left in flight; each such file is now known to have seen a death."""

    @abstractmethod
    def resolve(self, change: ListedChange, content: Content, new_id: UUID) -> Resolution:
        """Decide by `domain.library.resolution`, and carry out what needs no decoding.

        TOUCH, DUPLICATE and MOVE are done when this returns. For UPDATE and CREATE the file is
        noted as in flight, with the asset's id (`new_id` for CREATE), until it is recorded.
        """

    @abstractmethod
    def record(
        self, change: ListedChange, asset: DevelopedAsset, publish: Callable[[], None]
    ) -> bool:
        """Write the asset, its metadata, its proxies' rows and the file; True if it was missing.

        `publish` is called inside the transaction, as the last thing before the commit and while
        the claim can be taken over by nobody. It is not called where the claim is lost; where it
        raises, nothing is written. An error after it says nothing of the commit: its answer may
        have been lost.
        """

    @abstractmethod
    def call_off(self, change: ListedChange) -> None:
        """Say that the file in flight killed nobody: its error was raised and is told.

        The note stays, so that the next crawl looks for what is left among the proxies.
        """

    @abstractmethod
    def skip(self, change: ListedChange, reason: SkipReason, content: Content) -> None:
        """Remember the file as skipped until its signature changes."""

    @abstractmethod
    def fail(
        self, change: ListedChange, reason: FailReason, message: str, content: Content
    ) -> None:
        """Remember the file as failed until its signature changes, and say so to the owner."""

    @abstractmethod
    def report_unreadable(self, change: ListedChange, message: str) -> None:
        """Tell the owner of a file that could not be opened; it is tried again next time."""
