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


def test_calls_beyond_those_that_may_wait_are_refused_until_one_ends() -> None:
    release = Event()
    offload = Offload(threads=1, most_waiting=2)

    async def ask() -> list[object]:
        begun = [asyncio.ensure_future(offload(release.wait, 10)) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(Overloaded):
            await offload(release.wait, 10)
        release.set()
        done = await asyncio.gather(*begun)
        return [*done, *await asyncio.gather(*(offload(release.wait, 10) for _ in range(3)))]

    assert asyncio.run(ask()) == [True] * 6
    offload.close()


def test_a_caller_who_gives_up_leaves_the_queue() -> None:
    release = Event()
    offload = Offload(threads=1, most_waiting=1)

    async def ask() -> bool:
        running = asyncio.ensure_future(offload(release.wait, 10))
        waiting = asyncio.ensure_future(offload(release.wait, 10))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait({waiting})
        another = asyncio.ensure_future(offload(release.wait, 10))
        await asyncio.sleep(0)
        release.set()
        return await running and await another

    assert asyncio.run(ask()) is True
    offload.close()


def test_a_call_of_many_statements_may_take_longer_than_others() -> None:
    offload = Offload(threads=1, seconds=0.05)

    async def ask() -> bool:
        with pytest.raises(Overloaded):
            await offload(Event().wait, 0.3)
        return await offload.patiently(Event().wait, 0.3)

    assert asyncio.run(ask()) is False
    offload.close()


def test_calls_of_many_statements_leave_the_others_their_threads() -> None:
    offload, release = Offload(threads=1, seconds=5), Event()
    done: list[int] = []

    def remove(number: int) -> None:
        release.wait(10)
        done.append(number)

    async def ask() -> str:
        removals = [asyncio.ensure_future(offload.patiently(remove, n)) for n in range(3)]
        await asyncio.sleep(0)
        answer = await offload(str, "answered")
        assert done == []
        release.set()
        await asyncio.gather(*removals)
        return answer

    assert asyncio.run(ask()) == "answered"
    assert done == [0, 1, 2]
    offload.close()
