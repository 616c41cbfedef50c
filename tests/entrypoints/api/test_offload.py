"""Calls beside the event loop, and those that do not come back."""

import asyncio
from threading import Event

import pytest

from entrypoints.api.offload import Offload
from entrypoints.api.overload import Overloaded


def test_a_call_that_takes_too_long_is_given_up_and_the_loop_goes_on() -> None:
    release = Event()
    offload = Offload(threads=1, seconds=0.1)

    async def ask() -> str:
        with pytest.raises(Overloaded):
            await offload(release.wait, 10)
        release.set()
        return await offload(lambda: "an answer")

    assert asyncio.run(ask()) == "an answer"
    offload.close()


def test_without_a_limit_a_call_is_waited_for() -> None:
    async def ask() -> bool:
        return await Offload(threads=1)(Event().wait, 0.2)

    assert asyncio.run(ask()) is False
