"""Lets one thread at a time work on one content."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition

from domain.library.signature import Content


class ContentGate:
    """Of two files with the same content, the second sees what became of the first."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._inside: set[Content] = set()

    @contextmanager
    def only(self, content: Content) -> Iterator[None]:
        """Be the only one with this content until the block ends."""
        with self._changed:
            self._changed.wait_for(lambda: content not in self._inside)
            self._inside.add(content)
        try:
            yield
        finally:
            with self._changed:
                self._inside.remove(content)
                self._changed.notify_all()
