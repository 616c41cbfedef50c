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
        self._seconds = seconds
        self._room = None if most_waiting is None else Semaphore(threads + most_waiting)

    async def __call__(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The call's answer; what the caller bound to its context is bound in the thread too.

        Overloaded when too many wait already, and when it takes too long; then it runs on, and its
        thread is not free until it ends.
        """
        answer = self.patiently(call, *args, **kwargs)
        try:
            return await asyncio.wait_for(answer, self._seconds)
        except TimeoutError as error:
            raise Overloaded("the answer takes too long; try again later") from error

    async def patiently(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The same for a call of many statements, which takes as long as it takes."""
        context = contextvars.copy_context()
        bound = functools.partial(context.run, call, *args, **kwargs)
        return await asyncio.wrap_future(self._submitted(bound))

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
        self._executor.shutdown(wait=False, cancel_futures=True)
