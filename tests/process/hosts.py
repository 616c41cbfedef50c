"""Starts real Workers against a test's database, and waits for what they do."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar
from uuid import UUID, uuid4

from adapters.postgres.engine import PostgresAddress
from application.ports.work_queue import NewWorkItem
from domain.work.item import WorkItem
from domain.work.status import WorkStatus
from tests.contracts.harness import PostgresPorts
from tests.postgres_server import as_role, connection_variables

T = TypeVar("T")
ROOT = Path(__file__).resolve().parents[2]
BRISK = {
    "QUEUE__HEARTBEAT_SECONDS": "0.2",
    "QUEUE__LEASE_SECONDS": "3",
    "QUEUE__POLL_SECONDS": "0.2",
    "QUEUE__SCHEDULE_SECONDS": "0.5",
    "WORKER__SHUTDOWN_GRACE_SECONDS": "2",
}


@dataclass
class Worker:
    process: subprocess.Popen[bytes]
    log: Path

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def wait(self, limit: float = 20) -> int:
        return self.process.wait(limit)

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
            self.process.wait(10)


@dataclass
class Scene:
    """One database, the Workers on it, and the ledger that their handlers write."""

    address: PostgresAddress
    ports: PostgresPorts
    folder: Path
    workers: list[Worker] = field(default_factory=list)

    @property
    def ledger(self) -> list[dict[str, object]]:
        file = self.folder / "ledger"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    def begun(self, item_id: UUID) -> list[object]:
        return self._attempts("begin", item_id)

    def told(self, item_id: UUID) -> list[object]:
        return self._attempts("told", item_id)

    def _attempts(self, event: str, item_id: UUID) -> list[object]:
        return [
            line["attempt"]
            for line in self.ledger
            if line["event"] == event and line["item"] == str(item_id)
        ]

    def environment(self, **more: str) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "ANICHRON_HOME": str(self.folder),
            "LEDGER": str(self.folder / "ledger"),
            **connection_variables(as_role(self.address, "anichron_worker")),
            **BRISK,
            **more,
        }

    def start(self, **more: str) -> Worker:
        log = self.folder / f"worker-{len(self.workers)}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", "tests.process.worker"],
                cwd=ROOT,
                env=self.environment(**more),
                stdout=output,
                stderr=output,
            )
        worker = Worker(process, log)
        self.workers.append(worker)
        eventually(lambda: b"ready to work" in log.read_bytes(), 30, log.read_text)
        return worker

    def enqueue(self, act: str, seconds: float = 0, key: str | None = None) -> UUID:
        return self.ports.queue.enqueue(
            NewWorkItem(
                id=uuid4(),
                kind="Script",
                payload={"kind": "Script", "act": act, "seconds": seconds},
                dedup_key=key,
            )
        ).id

    def item(self, item_id: UUID) -> WorkItem:
        return self.ports.item(item_id)

    def until(self, item_id: UUID, status: WorkStatus, limit: float = 20) -> WorkItem:
        eventually(
            lambda: self.item(item_id).status is status,
            limit,
            lambda: f"{self.item(item_id)}\n" + "\n".join(w.log.read_text() for w in self.workers),
        )
        return self.item(item_id)

    def until_begun(self, item_id: UUID, times: int = 1) -> None:
        eventually(lambda: len(self.begun(item_id)) >= times, 20)


@contextmanager
def scene(address: PostgresAddress, ports: PostgresPorts, folder: Path) -> Iterator[Scene]:
    stage = Scene(address, ports, folder)
    try:
        yield stage
    finally:
        for worker in stage.workers:
            worker.end()


def eventually(
    condition: Callable[[], bool], limit: float = 15, explain: Callable[[], str] = str
) -> None:
    end = time.monotonic() + limit
    while not condition():
        assert time.monotonic() < end, f"not within {limit} s: {explain()}"
        time.sleep(0.05)


def throughout(condition: Callable[[], bool], seconds: float) -> None:
    """Hold a condition for so long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        assert condition()
        time.sleep(0.05)
