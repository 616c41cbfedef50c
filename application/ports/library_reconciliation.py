"""Brings the library's assets in line with the files that are there."""

from abc import abstractmethod
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Departures:
    """How many of the living assets no file holds any more."""

    going: int
    living: int


class LibraryReconciliation(Protocol):
    """Works in short batches; each proves the claim, shutting recovery out, or raises ClaimLost."""

    @abstractmethod
    def forget_gone(self, limit: int) -> int:
        """Delete the rows of gone files that hold no asset; how many, 0 when none is left."""

    @abstractmethod
    def promote_duplicates(self, limit: int) -> int:
        """Let duplicates hold assets whose own file is gone; how many, 0 when none is left."""

    @abstractmethod
    def restore(self, limit: int) -> int:
        """Bring assets back whose file has returned; how many, 0 when none is left."""

    @abstractmethod
    def departures(self) -> Departures:
        """Count what would go."""

    @abstractmethod
    def pair_live_photos(self, *, is_last: bool) -> int:
        """Bring the pairs in line with the assets that are there; how many files show one.

        Where nothing has changed since they were last paired, they are only counted. `is_last`: no
        change follows in this crawl.

        A picture and a video are a pair where they carry the same identifier of Apple's, or have
        the same folder and, without regard to case, the same base name and not two different
        identifiers. Each is half of one pair at most: the identifier counts more than the name,
        and HEIC more than JPEG; where two videos would have the same picture, one gets it and the
        other stays alone. An identifier that more than a few assets share tells nothing. The
        picture's asset is a LivePhoto then, and the video's knows it. Only files that this crawl
        found are counted. Raises ClaimLost.
        """

    @abstractmethod
    def mark_missing(self, limit: int, allowed_at: datetime | None) -> int:
        """Soft-delete assets that no file holds; how many, 0 when none is left.

        The batch that leaves none uses up, in its transaction, the allowance of that instant: so
        does a batch that finds none. A newer allowance stays.
        """
