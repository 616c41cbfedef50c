"""The live stream through a proxy with its defaults, and across a drop (Q13)."""

import json
import time
from contextlib import closing
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from uuid import UUID

import pytest

from tests.entrypoints.api.nginx import nginx_before
from tests.entrypoints.api.streaming import EVENTS, Api, events

pytestmark = [pytest.mark.postgres, pytest.mark.process]


def get(port: int, path: str, token: str, **headers: str) -> tuple[HTTPConnection, HTTPResponse]:
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", path, headers={"Authorization": f"Bearer {token}", **headers})
    return connection, connection.getresponse()


def test_a_buffering_proxy_passes_events_on_at_once(api: Api, tmp_path: Path) -> None:
    with nginx_before(api.host.port, tmp_path) as port:
        began = time.monotonic()
        connection, stream = get(port, EVENTS, api.token)
        with closing(connection):
            assert next(events(stream)).name == "leases"
            assert time.monotonic() - began < 3  # one second where nothing else runs
            found = {name: stream.headers[name] for name in ("Content-Type", "Cache-Control")}
            assert found["Content-Type"].startswith("text/event-stream")
            assert found["Cache-Control"] == "no-store"
            for _ in range(3):
                item = api.work.enqueue()
                event = next(e for e in events(stream) if e.name == "work-item")
                assert event.content["id"] == str(item)


def test_a_client_that_was_cut_off_ends_with_the_true_state(api: Api, tmp_path: Path) -> None:
    items = [api.work.enqueue() for _ in range(8)]
    with nginx_before(api.host.port, tmp_path) as port:
        connection, listed = get(port, "/api/v1/admin/work-items", api.token)
        with closing(connection):
            content = json.load(listed)
        view = {each["id"]: each["status"] for each in content["items"]}
        connection, stream = get(port, EVENTS, api.token, **{"Last-Event-ID": content["cursor"]})
        with closing(connection):
            seen = next(e for e in events(stream) if e.name == "work-item" or e.id)
            assert seen.id is not None
            last_id = seen.id
    for item in items[:4]:
        api.work.canceller.cancel(item)
    late = api.work.enqueue()
    with nginx_before(api.host.port, tmp_path, port) as port:
        connection, stream = get(port, EVENTS, api.token, **{"Last-Event-ID": last_id})
        with closing(connection):
            told = set[UUID]()
            for event in events(stream):
                if event.name == "work-item":
                    view[event.content["id"]] = event.content["status"]
                    told.add(UUID(event.content["id"]))
                if told >= {*items[:4], late}:
                    break
    expected = {str(item): "Cancelled" for item in items[:4]}
    expected |= {str(item): "Queued" for item in (*items[4:], late)}
    assert view == expected
