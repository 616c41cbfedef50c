"""What a watcher makes of the stream, and how it is shown."""

import io
import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from rich.console import Console
from typing_extensions import override

from domain.errors import InvalidInput
from entrypoints.cli.api_client.address import ApiAddress
from entrypoints.cli.api_client.event_stream import ServerEvent, events_of
from entrypoints.cli.work.names import Names, short
from entrypoints.cli.work.queue_client import Entries, Which
from entrypoints.cli.work.tables import listed, live
from entrypoints.cli.work.watched import Watched
from entrypoints.cli.work.words import clean, details, instant, silence, span

LEASE = timedelta(minutes=1)
NOON = "2026-05-01T12:00:00Z"
ANNA, FOLDER, GONE = "a" * 36, "f" * 36, "0" * 36


def item(number: int, status: str = "Queued", *, second: int = 0, **more: Any) -> dict[str, Any]:
    return {
        "id": f"00000000-0000-0000-0000-{number:012}",
        "kind": "Crawl",
        "status": status,
        "updatedAt": f"2026-05-01T12:00:{second:02}Z",
        "requestedAt": NOON,
        "requestedBy": None,
        "storageConfigId": None,
        "startedAt": NOON if status != "Queued" else None,
        "finishedAt": None,
        "leaseUntil": None,
        "cancelRequestedAt": None,
        "progress": {"done": None, "total": None, "note": None},
        **more,
    }


class Catalogue(Entries):
    """An installation with one folder of anna's."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    @override
    def entries(self, path: str) -> list[Mapping[str, Any]]:
        self.asked.append(path)
        if path == "/admin/users":
            return [{"id": ANNA, "name": "an\x1bna"}]
        return [{"id": FOLDER, "rootPath": "/data/originals/anna/2019"}]


def told(name: str, data: object, cursor: str | None = None) -> ServerEvent:
    return ServerEvent(name=name, data=json.dumps(data), cursor=cursor)


def watching(*items: dict[str, Any], which: Which | None = None, most: int = 3) -> Watched:
    watched = Watched(which=which or Which(), most=most)
    watched.start({"items": list(items), "cursor": "c0", "serverTime": NOON})
    return watched


def statuses(watched: Watched) -> list[tuple[int, str]]:
    return [(int(each["id"][-4:]), each["status"]) for each in watched.rows()]


def test_events_are_read_with_their_cursors_and_a_comment_is_a_sign_of_life() -> None:
    lines = (
        b"id: a\nretry: 2000\n\n: still here\n\nid: b\nevent: work-item\ndata: {}\n\n"
        b"event: leases\ndata: 1\ndata: 2\n\nevent: cut off\ndata: x\n"
    )
    opening, alive, *events = events_of(lines.splitlines(True))
    assert opening == ServerEvent(name="", data="", cursor="a")
    assert alive is None
    assert events == [
        ServerEvent(name="work-item", data="{}", cursor="b"),
        ServerEvent(name="leases", data="1\n2", cursor=None),
    ]


def test_the_cursor_follows_the_stream_and_a_reset_asks_for_the_list() -> None:
    watched = watching(item(1))
    assert watched.cursor == "c0"
    watched.take(told("work-item", item(1, "Running", second=1), "c1"))
    assert (watched.cursor, statuses(watched)) == ("c1", [(1, "Running")])
    assert not watched.must_list
    watched.take(told("reset", {}, "c2"))
    assert (watched.must_list, watched.cursor) == (True, "c2")


def test_what_is_repeated_after_a_resume_puts_nothing_back() -> None:
    watched = watching(item(1, "Succeeded", second=9))
    assert watched.take(told("work-item", item(1, "Running", second=3))) is None
    assert statuses(watched) == [(1, "Succeeded")]


def test_removed_items_and_those_that_left_the_filter_go() -> None:
    watched = watching(item(1), item(2), which=Which(statuses=["Queued"]))
    watched.take(told("work-item-removed", {"id": item(1)["id"]}))
    watched.take(told("work-item", item(2, "Running", second=1)))
    assert statuses(watched) == []


def test_what_runs_is_watched_however_many_requests_came_after_it() -> None:
    page = {"items": [item(2), item(3, "Running")], "cursor": "c0", "serverTime": NOON}
    running = [item(1, "Running"), item(3, "Running", second=5)]
    watched = Watched(which=Which(), most=3)
    watched.start(page, running=running)
    assert statuses(watched) == [(3, "Running"), (1, "Running"), (2, "Queued")]
    assert watched.rows()[0]["updatedAt"] == "2026-05-01T12:00:05Z"


@pytest.mark.parametrize(
    ("which", "running"),
    [
        (Which(), Which(statuses=["Running"])),
        (
            Which(statuses=["Failed", "Running"], kinds=["Crawl"]),
            Which(statuses=["Running"], kinds=["Crawl"]),
        ),
        (Which(statuses=["Failed"]), None),
    ],
)
def test_a_filter_knows_which_of_its_items_run(which: Which, running: Which | None) -> None:
    assert which.running() == running


def test_running_items_come_first_and_the_rest_is_bounded() -> None:
    watched = watching()
    for number in range(50):
        watched.take(told("work-item", item(number, "Succeeded", second=number)))
    watched.take(told("work-item", item(100, "Queued")))
    watched.take(told("work-item", item(101, "Running")))
    assert statuses(watched) == [(101, "Running"), (100, "Queued"), (49, "Succeeded")]
    assert len(watched._items) <= 6


def test_a_worker_that_gives_no_sign_is_told_of() -> None:
    watched = watching(item(1, "Running"))
    name = item(1)["id"]
    until = "2026-05-01T12:01:00Z"
    for second in ("00", "20"):
        watched.take(
            told("leases", {"serverTime": f"2026-05-01T12:00:{second}Z", "leases": {name: until}})
        )
    [row] = watched.rows()
    now = watched.now()
    assert now is not None
    assert watched.lease == timedelta(seconds=60)
    assert silence(row, watched.lease, now) == 20
    assert "silent 20 s" in drawn(watched)


def drawn(watched: Watched, width: int = 150) -> str:
    console = Console(file=io.StringIO(), width=width, force_terminal=False)
    names = Names(client=Catalogue())
    now = watched.now() or instant(NOON)
    console.print(live(watched.rows(), now, watched.lease, width, names))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_progress_is_a_bar_where_the_total_is_known() -> None:
    known = {"done": 50, "total": 100, "note": "half"}
    unknown = {"done": 7, "total": None, "note": None}
    text = drawn(watching(item(1, "Running", progress=known), item(2, "Running", progress=unknown)))
    assert "━━━━━━━━" in text
    assert "50 of 100" in text
    assert "half" in text


def test_a_terminal_of_80_columns_has_room_for_what_matters() -> None:
    progress = {"done": 62_345, "total": 99_999, "note": "a note that is longer than its room"}
    crawl = item(1, "Running", progress=progress)
    line = drawn(watching(crawl), width=80).splitlines()[1]
    assert "▶ Running" in line
    assert "━━━━" in line
    assert "62,345 of 99,999" in line
    assert "a note" in line
    assert crawl["id"] in drawn(watching(crawl), width=120)


def test_a_crawls_note_begins_with_its_folder() -> None:
    progress = {"done": 1, "total": 2, "note": "2 found"}
    crawl = item(1, "Running", progress=progress, storageConfigId=FOLDER)
    assert "2019: 2 found" in drawn(watching(crawl))


def test_a_page_of_the_list_names_folders_and_people() -> None:
    never_counts = {"done": 0, "total": None, "note": None}
    items = (
        item(1, storageConfigId=FOLDER, requestedBy=ANNA),
        item(2, "Succeeded", finishedAt=NOON, progress=never_counts),
    )
    heads, first, second = page_of(*items, width=150)
    assert heads.split() == [
        *("ID", "KIND", "FOLDER", "STATUS", "REQUESTED", "LASTED", "PROGRESS", "BY")
    ]
    assert first.split()[2:] == ["…/anna/2019", "·", "Queued", "1", "h", "ago", "an\ufffdna"]
    assert second.split()[2:] == ["none", "✓", "Succeeded", "1", "h", "ago", "0", "s", "scheduled"]


def page_of(*items: dict[str, Any], width: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width)
    now = instant("2026-05-01T13:05:00Z")
    console.print(listed(items, now, LEASE, width, Names(client=Catalogue())))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def test_a_terminal_of_120_columns_has_a_line_for_each_item() -> None:
    progress = {"done": 12_345, "total": 99_999, "note": None}
    long: dict[str, Any] = {"storageConfigId": FOLDER, "finishedAt": "2026-05-01T13:00:00Z"}
    heads, first, second = page_of(
        item(1, "Succeeded", progress=progress, **long),
        {**item(2), "kind": "WorkItemRetention"},
        width=120,
    )
    assert "BY" not in heads
    assert first.split()[2:] == [
        *("2019", "✓", "Succeeded", "1", "h", "ago", "1", "h", "00", "min"),
        *("12,345", "of", "99,999"),
    ]
    assert "WorkItemRetention" in second


@pytest.mark.parametrize(
    ("lease_until", "word"),
    [("13:05:55", "Running"), ("13:05:25", "silent 35 s"), ("13:03:55", "silent 2 min 05 s")],
)
def test_the_list_and_an_item_alone_tell_of_a_worker_that_gives_no_sign(
    lease_until: str, word: str
) -> None:
    running = item(1, "Running", leaseUntil=f"2026-05-01T{lease_until}Z", claimedBy="all@nas")
    _, line = page_of(running, width=120)
    assert word in line
    whole = {**running, "serverTime": "2026-05-01T13:05:00Z", "attempt": 1, "stalls": 0}
    told = dict(details(whole, "none", "scheduled", LEASE))
    assert told.get("silent for", "Running").endswith(word.removeprefix("silent "))


def test_names_are_asked_for_once_and_what_is_gone_keeps_its_id() -> None:
    catalogue = Catalogue()
    names = Names(client=catalogue)
    gone = item(1, storageConfigId=GONE, requestedBy=GONE)
    for _ in range(3):
        assert (names.folder(gone), names.requester(gone)) == (GONE, GONE)
        assert names.folder(item(2, storageConfigId=FOLDER)) == "/data/originals/anna/2019"
    assert catalogue.asked == ["/admin/storage-configs", "/admin/users"]


@pytest.mark.parametrize(
    ("path", "shown"),
    [("/", "/"), ("/photos/anna", "/photos/anna"), ("/data/photos/anna", "…/photos/anna")],
)
def test_a_long_path_is_told_by_its_end(path: str, shown: str) -> None:
    assert short(path) == shown


def test_a_failure_is_told_with_its_error() -> None:
    assert "ValueError: no" in drawn(watching(item(1, "Failed", error="ValueError: no")))


def test_what_a_terminal_obeys_is_replaced() -> None:
    assert clean("a\x1b[2Jb\nc\u202ed\x07é") == "a\ufffd[2Jb\ufffdc\ufffdd\ufffdé"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0, "0 s"), (59.4, "59 s"), (61, "1 min 01 s"), (3_725, "1 h 02 min"), (90_000, "1 d 1 h")],
)
def test_spans_are_told_in_two_units_at_most(seconds: float, said: str) -> None:
    assert span(seconds) == said


@pytest.mark.parametrize(
    ("url", "parsed"),
    [
        ("http://127.0.0.1:8276", "http://127.0.0.1:8276"),
        ("http://localhost", "http://localhost:80"),
        ("http://[::1]:9/", "http://[::1]:9"),
        ("https://photos.example.org/anichron/", "https://photos.example.org:443/anichron"),
    ],
)
def test_addresses_that_a_password_may_go_to(url: str, parsed: str) -> None:
    assert str(ApiAddress.parse(url, may_be_plain=False)) == parsed


@pytest.mark.parametrize(
    "url",
    [
        "http://photos.example.org",
        "http://127.0.0.1.example.org",
        "http://localhost.example.org",
        "http://10.0.0.1",
        "ftp://localhost",
        "https://",
        "https://anna:secret@photos.example.org",
        "https://photos:port",
    ],
)
def test_addresses_that_are_refused(url: str) -> None:
    with pytest.raises(InvalidInput, match="--url"):
        ApiAddress.parse(url, may_be_plain=False)


def test_plain_http_elsewhere_has_to_be_wanted() -> None:
    assert not ApiAddress.parse("http://10.0.0.1", may_be_plain=True).is_secure


def test_a_worker_that_was_silent_before_one_watched_is_told_so() -> None:
    running = item(1, "Running", leaseUntil="2026-05-01T12:00:25Z")
    watched = Watched(which=Which(), most=3)
    watched.start({"items": [running], "cursor": "c0", "serverTime": NOON}, lease=LEASE)
    assert silence(watched.rows()[0], watched.lease, instant(NOON)) == 35


def test_a_whole_second_is_older_than_its_parts() -> None:
    watched = watching(item(1, "Queued"))
    later = item(1, "Running", updatedAt="2026-05-01T12:00:00.000001Z")
    assert watched.take(told("work-item", later)) == later
