"""Memories over HTTP."""

import base64
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

import pytest
from sqlalchemy import Engine

from application.ports.memories import Camera
from domain.identity.user import User
from tests.contracts.memory_ports import PostgresMemoryPorts, memory, place
from tests.entrypoints.api.client import Client

pytestmark = pytest.mark.postgres
MEMORIES = "/api/v1/me/memories"


@pytest.fixture
def ports(engine: Engine) -> PostgresMemoryPorts:
    return PostgresMemoryPorts(engine=engine)


@pytest.fixture
def config(ports: PostgresMemoryPorts, ada: User) -> UUID:
    return ports.add_config(ada.id)


def leap(year: int, hour: int = 12, microsecond: int = 0) -> datetime:
    return datetime(year, 2, 29, hour, 5, 6, microsecond)  # noqa: DTZ001  # local time


def test_a_memory_tells_all_that_is_known(
    owner: Client, ports: PostgresMemoryPorts, config: UUID
) -> None:
    asset = ports.keep(
        config,
        memory(
            leap(2020, microsecond=250_000),
            "LivePhoto",
            offset=timedelta(hours=-3, minutes=-30),
            width=4032,
            height=3024,
            location=place(51.5, 0.0),
            camera=Camera(make="Nikon", model="D750", lens=None),
        ),
    )
    video = ports.keep(config, memory(leap(2020), "Video"), asset.asset_id)
    answer = owner("GET", f"{MEMORIES}?month=2&day=29")
    assert answer.status == 200
    assert answer.json == {
        "items": [
            {
                "id": str(asset.asset_id),
                "mediaType": "LivePhoto",
                "capturedAt": "2020-02-29T12:05:06.250000",
                "offset": "-03:30",
                "isEstimated": False,
                "year": 2020,
                "width": 4032,
                "height": 3024,
                "blurhash": "LKO2",
                "place": {"latitude": 51.5, "longitude": 0.0},
                "camera": {"make": "Nikon", "model": "D750", "lens": None},
                "durationSeconds": None,
                "motionId": str(video.asset_id),
                "thumbnail": f"/api/v1/me/assets/{asset.asset_id}/thumbnail",
                "preview": f"/api/v1/me/assets/{asset.asset_id}/preview",
            }
        ],
        "nextCursor": None,
    }


def test_what_is_not_known_is_null(owner: Client, ports: PostgresMemoryPorts, config: UUID) -> None:
    ports.keep(config, memory(leap(2020), "Video", is_estimated=True, duration_seconds=1.5))
    [entry] = owner("GET", f"{MEMORIES}?month=02&day=29").json["items"]
    assert (entry["capturedAt"], entry["isEstimated"]) == ("2020-02-29T12:05:06", True)
    assert (entry["offset"], entry["place"], entry["motionId"]) == (None, None, None)
    assert entry["camera"] == {"make": None, "model": None, "lens": None}
    assert (entry["mediaType"], entry["durationSeconds"]) == ("Video", 1.5)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "+00:00"), (7_200, "+02:00"), (-34_200, "-09:30"), (3_208, "+00:53:28")],
)
def test_an_offset_is_written_as_iso_8601_does(
    owner: Client, ports: PostgresMemoryPorts, config: UUID, seconds: int, text: str
) -> None:
    ports.keep(config, memory(leap(2020), offset=timedelta(seconds=seconds)))
    assert owner("GET", f"{MEMORIES}?month=2&day=29").json["items"][0]["offset"] == text


def test_pages_follow_each_other(owner: Client, ports: PostgresMemoryPorts, config: UUID) -> None:
    kept = [
        ports.keep(config, memory(leap(year, hour)))
        for year in (2024, 2020)
        for hour in (8, 10, 12)
    ]
    found: list[str] = []
    query = f"{MEMORIES}?month=2&day=29&limit=4"
    page = owner("GET", query).json
    while True:
        found.extend(each["id"] for each in page["items"])
        if page["nextCursor"] is None:
            break
        page = owner("GET", f"{query}&cursor={page['nextCursor']}").json
    assert found == [str(each.asset_id) for each in kept]


def test_each_sees_only_what_is_their_own(
    client: Client, anonymous: Client, owner: Client, ports: PostgresMemoryPorts, config: UUID
) -> None:
    ports.keep(config, memory(leap(2020)))
    path = f"{MEMORIES}?month=2&day=29"
    assert len(owner("GET", path).json["items"]) == 1
    assert client("GET", path).json == {"items": [], "nextCursor": None}
    assert anonymous("GET", path).status == 401
    assert replace(anonymous, token="no token")("GET", path).status == 401


@pytest.mark.parametrize(
    ("query", "detail"),
    [
        ("", "month: is missing"),
        ("month=4", "day: is missing"),
        ("day=4", "month: is missing"),
        ("month=4&day=31", "day: must be from 1 to 30 in month 4"),
        ("month=2&day=30", "day: must be from 1 to 29 in month 2"),
        ("month=0&day=1", "month: must be greater than or equal to 1"),
        ("month=13&day=1", "month: must be less than or equal to 12"),
        ("month=1&day=0", "day: must be greater than or equal to 1"),
        ("month=1&day=32", "day: must be less than or equal to 31"),
        ("month=May&day=1", "month: must be a whole number"),
        ("month=&day=1", "month: must be a whole number"),
        ("month=1&day=1&limit=500", "limit: must be less than or equal to 200"),
        ("month=1&day=1&cursor=x", "cursor: is not one that this list gave out"),
        ("month=1&day=1&year=2020", "year: is not known"),
        ("month=1&month=2&day=1", "month: must be given once"),
    ],
)
def test_an_impossible_day_is_refused_by_name(owner: Client, query: str, detail: str) -> None:
    answer = owner("GET", f"{MEMORIES}?{query}")
    assert (answer.status, answer.json["detail"]) == (400, detail)
    assert detail.startswith(answer.json["errors"][0]["field"])


@pytest.mark.parametrize(
    "place_text",
    [
        '{"at": "2020-02-29T12:05:06Z", "asset": "00000000-0000-0000-0000-000000000001"}',
        '{"at": "yesterday", "asset": "00000000-0000-0000-0000-000000000001"}',
        '{"at": "2020-02-29T12:05:06", "asset": "1"}',
        '{"at": "2020-02-29T12:05:06"}',
        "[1]",
        "nothing",
    ],
)
def test_a_made_up_cursor_is_refused(owner: Client, place_text: str) -> None:
    cursor = base64.urlsafe_b64encode(place_text.encode()).decode().rstrip("=")
    answer = owner("GET", f"{MEMORIES}?month=2&day=29&cursor={cursor}")
    assert (answer.status, answer.json["errors"][0]["field"]) == (400, "cursor")
