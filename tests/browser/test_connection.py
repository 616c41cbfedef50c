"""The stream that breaks and comes back."""

import re
from collections.abc import Iterator
from http.client import HTTPResponse
from pathlib import Path
from uuid import UUID

import pytest
from playwright.sync_api import Request, expect

from domain.work.kind import WorkKind
from domain.work.outcome import Succeeded
from domain.work.progress import NO_PROGRESS
from tests.browser.cutter import Cutter, cutter_before
from tests.browser.site import BRISK_API, Site
from tests.browser.visit import Visit
from tests.entrypoints.api.running_host import running_host

STREAMS = 10
GRACE_SECONDS = 10  # of gunicorn, which waits for connections that a browser keeps open


@pytest.fixture
def wire(site: Site) -> Iterator[Cutter]:
    with cutter_before(site.host.port) as wire:
        yield wire


def enter(visit: Visit, wire: Cutter) -> None:
    visit.enter(origin=f"http://127.0.0.1:{wire.port}")


def test_after_a_drop_the_page_shows_the_true_state(visit: Visit, site: Site, wire: Cutter) -> None:
    ends, goes, stays = (site.work.enqueue() for _ in range(3))
    config = site.add_folder("photos")
    removed = site.work.enqueue(WorkKind.CRAWL, scope=config)
    enter(visit, wire)
    resumed: list[str] = []

    def note(request: Request) -> None:
        if request.url.endswith("/events"):
            resumed.append(request.headers.get("last-event-id", ""))

    visit.page.on("request", note)
    wire.cut()
    expect(visit.page.locator(".pill")).to_have_text("Reconnecting…")
    site.work.execution.finish(site.work.claimed(), Succeeded({}), NO_PROGRESS)
    site.work.canceller.cancel(goes)
    site.work.delete_config(config)
    later = site.work.enqueue(WorkKind.WORK_ITEM_RETENTION)
    visit.has_status(ends, "Queued")
    wire.mend()
    visit.is_live(15_000)
    visit.has_status(ends, "Succeeded")
    visit.has_status(goes, "Cancelled")
    visit.has_status(stays, "Queued")
    visit.has_status(later, "Queued")
    expect(visit.row(removed)).to_have_count(0)
    assert all(re.fullmatch(r"\d{4}-.+Z", cursor) for cursor in resumed)
    assert resumed


def test_what_may_be_old_is_called_so(visit: Visit, wire: Cutter) -> None:
    enter(visit, wire)
    wire.cut()
    expect(visit.page.locator(".pill")).to_have_text("Not live", timeout=15_000)
    wire.mend()
    visit.is_live(15_000)


def test_an_api_that_hears_nothing_of_its_database_is_not_live(visit: Visit, site: Site) -> None:
    site.announce_worker()
    item = site.work.enqueue()
    visit.enter()
    verdict = visit.page.locator(".verdict")
    visit.page.wait_for_timeout(1_500)  # it learns how often the API tells; else it waits longer
    with site.undone("LOCK TABLE work_items IN ACCESS EXCLUSIVE MODE"):
        expect(visit.page.locator(".pill")).to_have_text("Not live", timeout=45_000)
        expect(verdict).to_contain_text("The API hears nothing of its database.")
        expect(verdict).to_have_attribute("data-look", "bad")
    visit.is_live()
    expect(verdict).not_to_contain_text("hears nothing")
    visit.has_status(item, "Queued")


def test_after_too_many_changes_the_page_lists_again(
    visit: Visit, site: Site, wire: Cutter
) -> None:
    first = site.work.enqueue()
    enter(visit, wire)
    visit.has_status(first, "Queued")
    wire.cut()
    expect(visit.page.locator(".pill")).to_have_text("Reconnecting…")
    site.run(
        "INSERT INTO work_items (id, kind, payload)"
        " SELECT gen_random_uuid(), 'TokenCleanup', '{}' FROM generate_series(1, 1100)"
    )
    newest = site.work.enqueue(WorkKind.WORK_ITEM_RETENTION)
    wire.mend()
    visit.is_live(15_000)
    visit.has_status(newest, "Queued")
    expect(visit.page.locator(".list-foot")).to_contain_text("50 of 1,102 shown")
    expect(visit.row(first)).to_have_count(0)


def test_an_api_that_is_told_to_stop_does_so_and_the_page_goes_on_at_the_next(
    visit: Visit, site: Site, tmp_path: Path
) -> None:
    item: UUID = site.work.enqueue()
    first, second = tmp_path / "first", tmp_path / "second"
    for home in (first, second):
        home.mkdir()
    secret = {"JWT__SECRET": "a secret that both processes share"}
    with running_host(site.address, first, **BRISK_API, **secret) as host:
        site.host, before = host, site.host
        try:
            with cutter_before(host.port) as wire:
                enter(visit, wire)
                # The others without a browser, which opens six connections to one host at most.
                streams = [opened_stream(site) for _ in range(STREAMS - 1)]
                assert host.stop() < GRACE_SECONDS
                assert host.process.returncode == 0
                assert "Traceback" not in host.log.read_text()
                for stream in streams:
                    stream.read()  # to an end, and not to an error
                meanwhile = site.work.enqueue(WorkKind.WORK_ITEM_RETENTION)
                with running_host(site.address, second, **BRISK_API, **secret) as following:
                    wire.mend(following.port)
                    visit.is_live(20_000)
                    visit.has_status(meanwhile, "Queued")
                    visit.has_status(item, "Queued")
        finally:
            site.host = before


def opened_stream(site: Site) -> HTTPResponse:
    token = site.tokens()["accessToken"]
    connection = site.host.connect()
    path = "/api/v1/admin/work-items/events"
    connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
    stream = connection.getresponse()
    assert stream.status == 200
    assert stream.readline()
    return stream
