"""What a file is ingested with, and the file itself once it is open and its content known."""

from dataclasses import dataclass
from typing import BinaryIO

from application.crawling.content_gate import ContentGate
from application.ports.asset_ledger import AssetLedger
from application.ports.crawl_listing import ListedChange
from application.ports.decoders import Decoders
from application.ports.originals import CheckedRoot
from domain.library.capture_date import Calendar
from domain.library.signature import Content


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingestion:
    """Shared by all threads of one crawl."""

    root: CheckedRoot
    calendar: Calendar
    ledger: AssetLedger
    gate: ContentGate
    attempt: int
    """Of the item, from 1."""
    apart: Decoders
    """In processes of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedFile:
    """One listed file that is open in this thread."""

    stream: BinaryIO
    change: ListedChange
    content: Content
