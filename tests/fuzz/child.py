"""A process that takes files as the crawl does, one path a line, and says what became of each."""

import json
import logging
import os
import sys
import traceback
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from adapters.filesystem.originals import FilesystemOriginals
from application.crawling.content_gate import ContentGate
from application.crawling.develop_asset import DevelopAsset
from application.crawling.ingestion import Ingestion, OpenedFile
from application.ports.crawl_listing import ListedChange
from application.ports.originals import Originals
from domain.library.capture_date import Calendar
from domain.library.resolution import Action, Resolution
from domain.library.signature import Content
from entrypoints.common.settings import WorkerSettings
from entrypoints.worker.crawl_container import CrawlContainer
from tests.fuzz.rows import CheckingLedger, ForgetfulProxyStore
from tests.peak_memory import forget_peak, peak_bytes

CREATE = Resolution(action=Action.CREATE, asset_id=UUID(int=1))
XXH64 = "0" * 16


@dataclass(frozen=True, slots=True)
class Ingest:
    """Everything of a file's way into the library but the hash and the database."""

    develop: DevelopAsset
    originals: Originals = field(
        default_factory=lambda: FilesystemOriginals(
            worker_root=Path("/"), proxy_path=Path("/nowhere")
        )
    )
    calendar: Calendar = field(
        default_factory=lambda: Calendar(zone=ZoneInfo("Europe/Berlin"), now=datetime.now(UTC))
    )

    def __call__(self, path: Path) -> str:
        """In one or two words, what became of the file."""
        root = self.originals.check(os.fsencode(path.parent))
        into = Ingestion(
            root=root,
            calendar=self.calendar,
            ledger=CheckingLedger(),
            gate=ContentGate(),
            attempt=1,
            apart=self.develop.decoders,
        )
        name = os.fsencode(path.name)
        with self.originals.open(root, name) as stream:
            signature = self.originals.signature(stream)
            change = ListedChange(
                number=1, path=name, signature=signature, xxh64=None, is_suspect=False
            )
            content = Content(signature.size, XXH64)
            file = OpenedFile(stream=stream, change=change, content=content)
            verdict = self.develop(file, CREATE, into)
        return str(verdict.reason or verdict.disposition)


def develop_as_wired() -> DevelopAsset:
    """The Worker's own, but for the store of proxies."""
    container = CrawlContainer(settings=WorkerSettings(), engine=None)
    container.limit_decoders()
    container.proxies.override(ForgetfulProxyStore())
    develop: DevelopAsset = container.develop_asset()
    return develop


def serve(develop: DevelopAsset) -> None:
    # The decoders' own chatter must not be taken for an answer, nor fill the screen.
    logging.disable()
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    ingest = Ingest(develop)
    print("{}", file=answers, flush=True)
    for line in sys.stdin:
        forget_peak()
        told = _told(ingest, Path(line.rstrip("\n")))
        print(json.dumps(told | {"peak": peak_bytes()}), file=answers, flush=True)


def _told(ingest: Ingest, path: Path) -> dict[str, Any]:
    try:
        return {"outcome": ingest(path)}
    except Exception:  # noqa: BLE001  # whatever gets here is a finding
        return {"error": traceback.format_exc()}


if __name__ == "__main__":
    serve(develop_as_wired())
