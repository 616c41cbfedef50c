"""Runs synchronous use cases beside the event loop."""

import asyncio
import contextvars
import functools
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Semaphore
from typing import ParamSpec, TypeVar

from entrypoints.api.overload import Overloaded, TooManyWaiting

P = ParamSpec("P")
T = TypeVar("T")


class Offload:
    """A bounded number of threads: more than there are connections would only wait for one."""

    def __init__(
        self, threads: int, seconds: float | None = None, most_waiting: int | None = None
    ) -> None:
        """`seconds`: how long a caller waits, for its turn and for its answer.

        `most_waiting`: how many calls may wait for a thread; without it, all that there are.
        """
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="use-case")
        self._patient = ThreadPoolExecutor(1, thread_name_prefix="patient-use-case")
        self._seconds = seconds
        self._room = None if most_waiting is None else Semaphore(threads + most_waiting)

    async def __call__(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The call's answer; what the caller bound to its context is bound in the thread too.

        Overloaded when too many wait already, and when it takes too long; then it runs on, and its
        thread is not free until it ends.
        """
        answer = asyncio.wrap_future(self._submitted(_bound(call, *args, **kwargs)))
        try:
            return await asyncio.wait_for(answer, self._seconds)
        except TimeoutError as error:
            raise Overloaded("the answer takes too long; try again later") from error

    async def patiently(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The same for a call of many statements, which takes as long as it takes.

        Such calls follow one another in a thread of their own: a few would leave no other request
        a thread for minutes.
        """
        return await asyncio.wrap_future(self._patient.submit(_bound(call, *args, **kwargs)))

    def _submitted(self, call: Callable[[], T]) -> Future[T]:
        room = self._room
        if room is None:
            return self._executor.submit(call)
        if not room.acquire(blocking=False):
            raise TooManyWaiting
        future = self._executor.submit(call)
        future.add_done_callback(lambda _: room.release())
        return future

    def close(self) -> None:
        """Drop what has not begun; what runs has limits of its own."""
        for executor in (self._executor, self._patient):
            executor.shutdown(wait=False, cancel_futures=True)


def _bound(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Callable[[], T]:
    """The call within what its caller bound to its context."""
    context = contextvars.copy_context()
    return functools.partial(context.run, call, *args, **kwargs)
