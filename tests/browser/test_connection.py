"""The stream that breaks and comes back."""

import re
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest
from playwright.sync_api import expect

from domain.work.kind import WorkKind
from domain.work.outcome import Succeeded
from domain.work.progress import NO_PROGRESS
from tests.browser.cutter import Cutter, cutter_before
from tests.browser.site import BRISK_API, NAME, Site
from tests.browser.visit import Visit, remembering
from tests.entrypoints.api.running_host import running_host

STREAMS = 10


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
    visit.page.on(
        "request",
        lambda request: (
            "events" in request.url and resumed.append(request.headers.get("last-event-id", ""))
        ),
    )
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
                pages = [visit.page.context.new_page() for _ in range(STREAMS - 1)]
                for page in pages:
                    page.add_init_script(remembering({**site.tokens(), "userName": NAME}))
                    page.goto(f"{visit.origin}/admin/")
                    expect(page.locator(".pill")).to_have_text("Live")
                assert host.stop() < 4
                assert host.process.returncode == 0
                assert "Traceback" not in host.log.read_text()
                meanwhile = site.work.enqueue(WorkKind.WORK_ITEM_RETENTION)
                with running_host(site.address, second, **BRISK_API, **secret) as following:
                    wire.mend(following.port)
                    for page in (visit.page, *pages):
                        expect(page.locator(".pill")).to_have_text("Live", timeout=20_000)
                        expect(page.locator(f'tr[data-id="{meanwhile}"]')).to_be_visible()
                    visit.has_status(item, "Queued")
                    for page in pages:
                        page.close()
        finally:
            site.host = before
