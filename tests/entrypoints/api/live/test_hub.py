"""What streams are told, and when they end."""

import asyncio
from datetime import timedelta
from uuid import UUID

import pytest

from application.ports.users import UserChange
from domain.errors import DatabaseUnavailable
from entrypoints.api.live.hub import Stopping, TooManyStreams
from entrypoints.api.live.stream import Stream
from tests.entrypoints.api.live.world import BACKLOG, INTERVAL, SECOND, World, parsed, read

ITEM = UUID(int=7)


async def ended(stream: Stream) -> bool:
    """Whether the stream ends within a few looks."""
    async with asyncio.timeout(2):
        async for _ in stream:
            pass
    return True


def test_a_new_stream_is_told_where_it_stands_and_what_changes() -> None:
    world = World()
    cursor = world.change()

    async def test() -> None:
        stream = await world.open()
        assert await anext(stream) == f"id: {cursor}\nretry: 2000\n\n".encode()
        changed = world.change(ITEM)
        [event] = await read(stream, 1)
        assert (event.name, event.id) == ("work-item", changed)
        assert (event.content["id"], event.content["status"]) == (str(ITEM), "Queued")
        assert "payload" not in event.content

    world.run(test)


def test_each_look_tells_the_leases_without_an_id() -> None:
    world = World()

    async def test() -> None:
        stream = await world.open()
        first, second = await read(stream, 2, leases=True)
        assert (first.name, first.id, second.name) == ("leases", None, "leases")
        assert first.content == {"serverTime": "2026-03-01T12:00:00Z", "leases": {}}

    world.run(test)


def test_an_item_that_is_gone_is_told_by_its_id() -> None:
    world = World()

    async def test() -> None:
        stream = await world.open()
        cursor = world.change(ITEM, gone=True)
        [event] = await read(stream, 1)
        assert (event.name, event.id) == ("work-item-removed", cursor)
        assert event.content == {"id": str(ITEM)}

    world.run(test)


def test_a_client_that_comes_back_misses_nothing() -> None:
    world = World()
    stood_at = world.change()
    missed = [world.change() for _ in range(5)]

    async def test() -> None:
        stream = await world.open(stood_at)
        assert await anext(stream) == b"retry: 2000\n\n"
        events = await read(stream, 6)
        assert [event.id for event in events][-5:] == missed
        assert {event.name for event in events} == {"work-item"}

    world.run(test)


def test_a_client_that_missed_nothing_is_told_nothing_new() -> None:
    world = World()
    world.change()
    world.clock.move(20 * SECOND)
    cursor = world.change()

    async def test() -> None:
        stream = await world.open(cursor)
        await anext(stream)
        events = parsed(await anext(stream))
        assert [event.id for event in events] == [cursor]

    world.run(test)


@pytest.mark.parametrize(
    "last_event_id", ["nonsense", "2030-01-01T00:00:00.000000Z", "2026-02-30T00:00:00Z", "0"]
)
def test_an_id_that_leads_nowhere_resets_the_client(last_event_id: str) -> None:
    world = World()
    cursor = world.change()

    async def test() -> None:
        stream = await world.open(last_event_id)
        [event] = await read(stream, 1)
        assert (event.name, event.id, event.content) == ("reset", cursor, {})
        changed = world.change()
        [event] = await read(stream, 1)
        assert (event.name, event.id) == ("work-item", changed)

    world.run(test)


def test_an_empty_id_is_none() -> None:
    world = World()
    cursor = world.change()

    async def test() -> None:
        stream = await world.open("")
        assert (await anext(stream)).startswith(f"id: {cursor}".encode())

    world.run(test)


def test_more_changes_than_can_be_told_reset_every_stream() -> None:
    world = World(ring_size=3)

    async def test() -> None:
        streams = [await world.open() for _ in range(2)]
        *_, last = [world.change() for _ in range(4)]
        for stream in streams:
            [event] = await read(stream, 1)
            assert (event.name, event.id) == ("reset", last)

    world.run(test)


def test_one_look_serves_all_streams() -> None:
    world = World()

    async def test() -> None:
        streams = [await world.open() for _ in range(50)]
        for stream in streams:
            await anext(stream)
        before, began = world.changes.asked, asyncio.get_running_loop().time()
        await world.looks(3)
        took = asyncio.get_running_loop().time() - began
        assert world.changes.asked - before <= took / INTERVAL + 2
        chunks = [await anext(stream) for stream in streams]
        assert len({id(chunk) for chunk in chunks}) == 1

    world.run(test)


@pytest.mark.parametrize("change", [UserChange(is_disabled=True), UserChange(is_admin=False)])
def test_the_streams_of_an_owner_who_lost_the_role_end(change: UserChange) -> None:
    world = World()
    bob = world.user("bob")

    async def test() -> None:
        mine = await world.open()
        bobs = await world.hub.open(world.watcher(bob), None)
        world.users.change(bob.id, change)
        assert await ended(bobs)
        assert await read(mine, 1, leases=True)
        assert world.aborted == []

    world.run(test)


def test_the_streams_of_a_deleted_owner_end() -> None:
    world = World()
    bob = world.user("bob")

    async def test() -> None:
        bobs = await world.hub.open(world.watcher(bob), None)
        world.users.remove(bob.id)
        assert await ended(bobs)

    world.run(test)


def test_a_stream_ends_when_its_token_expires() -> None:
    world = World()

    async def test() -> None:
        left = timedelta(milliseconds=100)
        stream = await world.hub.open(world.watcher(left=left), None)
        assert await ended(stream)

    world.run(test)


def test_a_stream_ends_when_the_hosts_clock_passes_its_tokens_end() -> None:
    world = World()

    async def test() -> None:
        stream = await world.hub.open(world.watcher(left=60 * SECOND), None)
        world.clock.move(60 * SECOND)
        assert await ended(stream)

    world.run(test)


def test_a_client_that_does_not_read_is_dropped_and_its_connection_ended() -> None:
    world = World()
    bob = world.user("bob")

    async def test() -> None:
        mine = await world.open()
        bobs = await world.hub.open(world.watcher(bob), None)
        while world.hub.open_streams() == 2:
            await anext(mine)
        assert world.aborted == [bob.id]
        assert await ended(bobs)
        assert await read(mine, 1, leases=True)

    world.run(test)


def test_a_backlog_is_bounded() -> None:
    world = World()

    async def test() -> None:
        stream = await world.open()
        assert [stream.offer((b"x",)) for _ in range(BACKLOG + 5)].count(True) == BACKLOG

    world.run(test)


def test_a_silent_stream_is_kept_alive() -> None:
    world = World(keep_alive_seconds=0.05)

    async def test() -> None:
        stream = await world.open()
        await anext(stream)
        world.changes.is_away = True
        while (said := await anext(stream)).startswith(b"event: leases"):
            pass
        assert said == b": still here\n\n"

    world.run(test)


def test_an_outage_ends_no_stream_and_what_changed_meanwhile_is_told() -> None:
    world = World()

    async def test() -> None:
        stream = await world.open()
        world.changes.is_away = True
        await world.looks(5)
        cursor = world.change()
        world.changes.is_away = False
        [event] = await read(stream, 1)
        assert event.id == cursor

    world.run(test)


def test_a_look_that_breaks_is_not_the_last(caplog: pytest.LogCaptureFixture) -> None:
    world = World()

    async def test() -> None:
        stream = await world.open()
        world.changes.fault = ValueError("odd")
        await world.looks(3)
        cursor = world.change()
        world.changes.fault = None
        [event] = await read(stream, 1)
        assert event.id == cursor

    world.run(test)
    assert "a look at the queue failed; the next one follows" in caplog.messages


def test_no_stream_opens_before_the_queue_could_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("entrypoints.api.live.hub.FIRST_LOOK_SECONDS", 0.1)
    world = World()
    world.changes.is_away = True

    async def test() -> None:
        with pytest.raises(DatabaseUnavailable):
            await world.open()
        world.changes.is_away = False
        assert (await anext(await world.open())).endswith(b"retry: 2000\n\n")

    world.run(test)


def test_streams_are_bounded_and_a_closed_one_makes_room() -> None:
    world = World(most_streams=2)

    async def test() -> None:
        first, _ = [await world.open() for _ in range(2)]
        with pytest.raises(TooManyStreams):
            await world.open()
        await first.close()
        assert world.hub.open_streams() == 1
        await world.open()
        assert world.hub.open_streams() == 2

    world.run(test)


def test_stopping_ends_all_streams_and_opens_none() -> None:
    world = World()

    async def test() -> None:
        streams = [await world.open() for _ in range(10)]
        world.hub.begin_stop()
        assert [await ended(stream) for stream in streams] == [True] * 10
        with pytest.raises(Stopping, match="the API is stopping"):
            await world.open()

    world.run(test)


def test_stopping_ends_the_connections_of_those_who_do_not_read() -> None:
    world = World()

    async def test() -> None:
        reading = await world.open()
        await world.open()
        world.hub.begin_stop()
        assert await ended(reading)
        await reading.close()
        await asyncio.sleep(0.7)
        assert world.aborted == [world.admin.id]

    world.run(test)


def test_large_amounts_are_sent_in_pieces() -> None:
    world = World()
    stood_at = world.change()
    for _ in range(900):
        world.clock.move(timedelta(milliseconds=-999))
        world.change()

    async def test() -> None:
        stream = await world.open(stood_at)
        await anext(stream)
        sizes = []
        count = 0
        while count < 901:
            piece = await anext(stream)
            sizes.append(len(piece))
            count += len([event for event in parsed(piece) if event.name == "work-item"])
        assert max(sizes) <= 64 * 1024
        assert len(sizes) >= 3

    world.run(test)
