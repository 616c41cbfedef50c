"""Runs synchronous use cases beside the event loop."""

import asyncio
import contextvars
import functools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Offload:
    """A bounded number of threads: more than there are connections would only wait for one."""

    def __init__(self, threads: int) -> None:
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="use-case")

    async def __call__(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The call's answer; what the caller bound to its context is bound in the thread too."""
        context = contextvars.copy_context()
        bound = functools.partial(context.run, call, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._executor, bound)

    def close(self) -> None:
        """Drop what has not begun; what runs has limits of its own."""
        self._executor.shutdown(wait=False, cancel_futures=True)
