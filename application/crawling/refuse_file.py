"""Files that were read and become no asset: remembered until their signature changes."""

from application.crawling.ingestion import OpenedFile
from application.ports.asset_ledger import AssetLedger
from domain.library.verdict import Disposition, FailReason, SkipReason, Verdict


def skip(file: OpenedFile, reason: SkipReason, ledger: AssetLedger) -> Verdict:
    """Nothing is wrong with the file, it is only not taken."""
    ledger.skip(file.change, reason, file.content)
    return Verdict(disposition=Disposition.SKIPPED, reason=reason, bytes_read=file.content.size)


def fail(file: OpenedFile, reason: FailReason, message: str, ledger: AssetLedger) -> Verdict:
    """The file is broken; its owner reads the message."""
    ledger.fail(file.change, reason, message, file.content)
    return Verdict(disposition=Disposition.FAILED, reason=reason, bytes_read=file.content.size)
