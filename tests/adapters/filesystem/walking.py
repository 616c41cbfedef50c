"""What a walk of a root finds."""

import os
from pathlib import Path

from adapters.filesystem.originals import FilesystemOriginals
from application.ports.originals import (
    ListingBatch,
)
from domain.library.verdict import SkipReason


def walked(originals: FilesystemOriginals, root: Path) -> tuple[set[bytes], ListingBatch]:
    batches = list(originals.walk(originals.check(os.fsencode(root))))
    skipped: dict[SkipReason, int] = {}
    for batch in batches:
        for reason, count in batch.skipped.items():
            skipped[reason] = skipped.get(reason, 0) + count
    return {each.path for batch in batches for each in batch.files}, ListingBatch(
        skipped=skipped,
        folders_visited=sum(batch.folders_visited for batch in batches),
        unreadable=[each for batch in batches for each in batch.unreadable],
    )
