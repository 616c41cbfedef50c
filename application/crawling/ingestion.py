"""What every file of one crawl is ingested with."""

from dataclasses import dataclass

from application.crawling.content_gate import ContentGate
from application.ports.asset_ledger import AssetLedger
from application.ports.originals import CheckedRoot
from domain.library.capture_date import Calendar


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingestion:
    """Shared by all threads of one crawl."""

    root: CheckedRoot
    calendar: Calendar
    ledger: AssetLedger
    gate: ContentGate
