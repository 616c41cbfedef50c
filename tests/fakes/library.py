"""A library in memory: the records of one storage config, and one crawl's listing of it."""

from dataclasses import dataclass, field
from datetime import datetime
from threading import RLock
from uuid import UUID

from domain.library.asset import DevelopedAsset
from domain.library.media_type import MediaType
from domain.library.signature import Content, ListedFile, Signature
from domain.library.verdict import SkipReason
from domain.work.attempt import AttemptTag, ClaimLost


@dataclass
class FileRow:
    signature: Signature
    outcome: str
    reason: str | None = None
    message: str | None = None
    content: Content | None = None
    media_type: MediaType | None = None
    asset_id: UUID | None = None
    is_missing: bool = False


@dataclass
class AssetRow:
    developed: DevelopedAsset
    is_missing: bool = False
    still: UUID | None = None
    """Of a video: the picture whose moving half it is."""


@dataclass
class Flight:
    asset_id: UUID
    tag: AttemptTag
    is_up: bool = True
    deaths: int = 0


@dataclass
class Change:
    number: int
    file: ListedFile
    skipped: SkipReason | None
    xxh64: str | None = None


@dataclass
class InMemoryLibrary:
    files: dict[bytes, FileRow] = field(default_factory=dict)
    assets: dict[UUID, AssetRow] = field(default_factory=dict)
    failures: list[tuple[int, bytes, str, str]] = field(default_factory=list)
    flights: dict[bytes, Flight] = field(default_factory=dict)
    is_claim_lost: bool = False
    missing_allowed_at: datetime | None = None
    pairings: int = 0
    is_pairing_due: bool = False
    lock: RLock = field(default_factory=RLock)

    def holders(self) -> dict[bytes, UUID]:
        return {
            path: row.asset_id
            for path, row in self.files.items()
            if row.outcome == "asset" and row.asset_id and not row.is_missing
        }

    def pairs(self) -> dict[UUID, UUID]:
        """Pictures and their moving halves."""
        return {row.still: key for key, row in self.assets.items() if row.still is not None}

    def living(self) -> set[UUID]:
        return {key for key, asset in self.assets.items() if not asset.is_missing}


@dataclass
class Session:
    """The listing of one crawl, and what it says about the library."""

    library: InMemoryLibrary
    tag: AttemptTag
    listed: dict[bytes, Change] = field(default_factory=dict)
    unreadable: list[bytes] = field(default_factory=list)
    changes: dict[bytes, Change] = field(default_factory=dict)
    absent: set[bytes] = field(default_factory=set)
    known_contents: set[Content] = field(default_factory=set)

    def prove(self) -> InMemoryLibrary:
        if self.library.is_claim_lost:
            raise ClaimLost(self.tag)
        return self.library

    def is_there(self, path: bytes) -> bool:
        row, change = self.library.files[path], self.changes.get(path)
        if path in self.absent:
            return False
        if change is None or change.xxh64 is None or row.content is None:
            return True
        return Content(change.file.size, change.xxh64) == row.content

    def paths_of(self, asset_id: UUID, outcome: str) -> list[bytes]:
        return [
            path
            for path, row in self.library.files.items()
            if row.asset_id == asset_id and row.outcome == outcome
        ]


def refuse(library: InMemoryLibrary, path: bytes, row: FileRow, reason: str) -> None:
    before = library.files.get(path)
    row.reason = reason
    if before is not None and before.outcome != "duplicate":
        row.asset_id = before.asset_id
    library.files[path] = row
    library.flights.pop(path, None)
