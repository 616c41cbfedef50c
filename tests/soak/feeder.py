"""Asks for work at a steady rate through the one enqueue path."""

import threading
import time
from dataclasses import dataclass, field
from uuid import uuid4

from application.ports.work_queue import NewWorkItem, WorkQueue
from domain.errors import DatabaseUnavailable


@dataclass
class Feeder:
    queue: WorkQueue
    a_second: float
    asked: int = 0
    refused: int = 0
    _stop: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self._thread = threading.Thread(target=self._feed, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(30)

    def _feed(self) -> None:
        began = time.monotonic()
        while not self._stop.is_set():
            due = int((time.monotonic() - began) * self.a_second)
            for _ in range(due - self.asked):
                self._ask()
            self._stop.wait(0.05)

    def _ask(self) -> None:
        self.asked += 1
        try:
            self.queue.enqueue(
                NewWorkItem(id=uuid4(), kind="Script", payload={"kind": "Script", "act": "return"})
            )
        except DatabaseUnavailable:
            self.refused += 1
