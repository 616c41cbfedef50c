"""What every line of a process tells of the item that it is about."""

import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from uuid import UUID

import structlog


class LogContext:
    """A Worker runs one item at a time, so one place holds it for all threads that serve it."""

    def __init__(self, *, worker: str, threads: Collection[str] | None = None) -> None:
        """`threads`: whose lines are about the item that runs, whatever they say; None: all."""
        self._worker = worker
        self._threads = threads
        self._item: Mapping[str, object] = {}

    @contextmanager
    def running(self, *, item_id: UUID, kind: str, attempt: int) -> Iterator[None]:
        """For as long as the block lasts, this is the item."""
        self._item = {"item_id": str(item_id), "kind": kind, "attempt": attempt}
        try:
            yield
        finally:
            self._item = {}

    def bind(
        self, _logger: object, _method: str, event: structlog.types.EventDict
    ) -> structlog.types.EventDict:
        """A processor of structlog's: what the line says itself stays."""
        item = self._item
        about = str(event["item_id"]) if event.get("item_id") else None
        if about == item.get("item_id") or (about is None and self._is_about_the_item()):
            for name, value in item.items():
                event.setdefault(name, value)
        event["worker"] = self._worker
        return event

    def _is_about_the_item(self) -> bool:
        return self._threads is None or threading.current_thread().name in self._threads
