"""The live stream as a client over the network sees it."""

import json
import socket
import time
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from adapters.postgres.engine import PostgresAddress
from application.ports.users import NewUser, UserChange
from tests.entrypoints.api.running_host import running_host
from tests.entrypoints.api.streaming import EVENTS, FAST, Api, events, next_item

pytestmark = [pytest.mark.postgres, pytest.mark.process]


def test_a_list_and_then_a_stream_miss_nothing(api: Api) -> None:
    _, listed = api.request("GET", "/api/v1/admin/work-items")
    cursor = json.load(listed)["cursor"]
    first = api.work.enqueue()
    stream = api.stream(**{"Last-Event-ID": cursor})
    assert stream.headers["Content-Type"].startswith("text/event-stream")
    assert stream.headers["Cache-Control"] == "no-store"
    assert stream.headers["X-Accel-Buffering"] == "no"
    assert next_item(stream).content["id"] == str(first)
    second = api.work.enqueue()
    event = next_item(stream)
    assert (event.content["id"], event.content["status"]) == (str(second), "Queued")


def test_what_commits_late_is_told_all_the_same(api: Api, engine: Engine) -> None:
    stream = api.stream()
    statement = text(
        "INSERT INTO work_items (id, kind, payload) VALUES (gen_random_uuid(), :kind, '{}')"
    )
    with engine.begin() as late:
        late.execute(statement, {"kind": "Late"})
        with engine.begin() as early:
            early.execute(statement, {"kind": "Early"})
        assert next_item(stream).content["kind"] == "Early"
        time.sleep(1)
    assert next_item(stream).content["kind"] == "Late"


def test_a_demoted_admins_stream_ends(api: Api) -> None:
    api.users.add(NewUser(name="bob", email="bob@x", password_hash="", is_admin=True))
    stream = api.stream()
    assert next(events(stream)).name == "leases"
    api.users.change(api.admin.id, UserChange(is_admin=False))
    began = time.monotonic()
    assert stream.read() is not None
    assert time.monotonic() - began < 6


def test_a_host_that_is_told_to_stop_waits_for_no_stream(api: Api) -> None:
    streams = [api.stream() for _ in range(10)]
    unread = api.unread_stream()
    for stream in streams:
        assert next(events(stream)).name == "leases"
    assert api.host.stop() < 4
    assert api.host.process.returncode == 0
    for stream in streams:
        stream.read()
    unread.close()
    log = api.host.log.read_text()
    assert "Traceback" not in log
    assert "Waiting for" not in log.partition("Forcing close")[2]


def test_clients_go_on_at_the_next_process(
    api: Api, database: PostgresAddress, tmp_path: Path
) -> None:
    stream = api.stream()
    before = api.work.enqueue()
    told = next_item(stream)
    assert (told.content["id"], told.id is not None) == (str(before), True)
    api.host.stop()
    meanwhile = api.work.enqueue()
    with running_host(database, tmp_path, **FAST) as host:
        again = replace(api, host=host)
        stream = again.stream(**{"Last-Event-ID": str(told.id)})
        seen = {next_item(stream).content["id"]}
        while str(meanwhile) not in seen:
            seen.add(next_item(stream).content["id"])
        assert seen <= {str(before), str(meanwhile)}


def test_an_answer_may_last_longer_than_a_request(
    api: Api, database: PostgresAddress, tmp_path: Path
) -> None:
    with running_host(database, tmp_path, **FAST, HTTP__REQUEST_SECONDS="2") as host:
        stream = replace(api, host=host).stream()
        time.sleep(3)
        item = api.work.enqueue()
        assert next_item(stream).content["id"] == str(item)


def test_a_client_that_does_not_read_loses_its_connection(api: Api, engine: Engine) -> None:
    unread = api.unread_stream()
    reading = api.stream()
    with engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO work_items (id, kind, payload, status, finished_at, result)"
                " SELECT gen_random_uuid(), 'Crawl', '{}', 'Succeeded', clock_timestamp(),"
                " jsonb_build_object('facts', repeat('x', 4000))"
                " FROM generate_series(1, 3000)"
            )
        )
    seen = 0
    for event in events(reading):
        seen += event.name == "work-item"
        if seen == 3000:
            break
    limit = time.monotonic() + 15
    while ended_by_the_host(unread) is False:
        assert time.monotonic() < limit
        time.sleep(0.2)
    assert next(events(reading)).name == "leases"
    assert api.host.stop() < 4


def ended_by_the_host(client: socket.socket) -> bool:
    """Whether the kernel knows the connection as reset, without reading from it."""
    state: int = client.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]
    return state != 1  # TCP_ESTABLISHED


def test_a_hundred_streams_are_served_from_the_pool(api: Api, engine: Engine) -> None:
    streams = [api.stream() for _ in range(100)]
    item = api.work.enqueue()
    assert {next_item(stream).content["id"] for stream in streams} == {str(item)}
    with engine.connect() as connection:
        sessions = connection.execute(
            text("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'anichron-api'")
        ).scalar_one()
    assert sessions <= 8


def test_a_proxy_that_speaks_http_1_0_gets_the_first_event_within_a_second(api: Api) -> None:
    """As nginx does towards a host unless it is told otherwise."""
    head = f"GET {EVENTS} HTTP/1.0\r\nAuthorization: Bearer {api.token}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", api.host.port), timeout=5) as client:
        client.sendall(head.encode())
        began = time.monotonic()
        said = b""
        while b"event: leases" not in said:
            said += client.recv(4096)
        assert time.monotonic() - began < 3
        assert b"transfer-encoding" not in said.lower()
        assert api.host.stop() < 4
        while client.recv(4096):
            pass
