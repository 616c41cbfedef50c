"""One wait for all that the keeper's main thread waits for.

A thread that reads the runner's words and hands them over costs each item a switch of threads more.
"""

import os
import select
from collections.abc import Callable

from typing_extensions import override

from application.ports.ear import Ear


class DescriptorEar(Ear):
    """Descriptors are added and removed by whoever listens; their callbacks are called there."""

    def __init__(self) -> None:
        self._callbacks: dict[int, Callable[[], None]] = {}
        self._bell = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._epoll = select.epoll()
        self._epoll.register(self._bell, select.EPOLLIN)

    def add(self, descriptor: int, on_ready: Callable[[], None]) -> None:
        """Call it whenever there is something to read, or nothing will be any more."""
        self._callbacks[descriptor] = on_ready
        self._epoll.register(descriptor, select.EPOLLIN)

    def remove(self, descriptor: int) -> None:
        """Before it is closed; its number may be another's afterwards."""
        del self._callbacks[descriptor]
        self._epoll.unregister(descriptor)

    @override
    def listen(self, timeout: float) -> None:
        for descriptor, _ in self._epoll.poll(max(timeout, 0)):
            if descriptor == self._bell:
                os.eventfd_read(self._bell)
            elif descriptor in self._callbacks:  # or an earlier callback has removed it
                self._callbacks[descriptor]()

    @override
    def wake(self) -> None:
        os.eventfd_write(self._bell, 1)
