"""Runs synchronous use cases beside the event loop."""

import asyncio
import contextvars
import functools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from entrypoints.api.overload import Overloaded

P = ParamSpec("P")
T = TypeVar("T")


class Offload:
    """A bounded number of threads: more than there are connections would only wait for one."""

    def __init__(self, threads: int, seconds: float | None = None) -> None:
        """`seconds`: how long a caller waits where a call has no limit of its own."""
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="use-case")
        self._seconds = seconds

    async def __call__(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The call's answer; what the caller bound to its context is bound in the thread too.

        Overloaded when it takes too long; it runs on, and its thread is not free until it ends.
        """
        context = contextvars.copy_context()
        bound = functools.partial(context.run, call, *args, **kwargs)
        answer = asyncio.get_running_loop().run_in_executor(self._executor, bound)
        try:
            return await asyncio.wait_for(answer, self._seconds)
        except TimeoutError as error:
            raise Overloaded("the answer takes too long; try again later") from error

    def close(self) -> None:
        """Drop what has not begun; what runs has limits of its own."""
        self._executor.shutdown(wait=False, cancel_futures=True)
