"""What a page shows that stays open: outages, sleep, Workers that beat in another rhythm."""

from collections.abc import Iterator
from uuid import UUID

import pytest
from playwright.sync_api import Route, expect

from domain.work.kind import WorkKind
from tests.browser.cutter import Cutter, cutter_before
from tests.browser.site import Site
from tests.browser.visit import Visit


@pytest.fixture
def wire(site: Site) -> Iterator[Cutter]:
    with cutter_before(site.host.port) as wire:
        yield wire


def run_with_lease(site: Site, lease: str) -> UUID:
    """A running item whose lease ends after so long."""
    item = site.work.enqueue()
    site.work.claim()
    site.run(
        f"UPDATE work_items SET lease_until = clock_timestamp() + interval '{lease}'"
        " WHERE id = :item",
        item=item,
    )
    return item


def test_while_the_api_is_away_no_worker_is_called_gone(
    visit: Visit, site: Site, wire: Cutter
) -> None:
    site.announce_worker()
    visit.enter(origin=f"http://127.0.0.1:{wire.port}")
    verdict = visit.page.locator(".verdict")
    expect(verdict).to_contain_text("overdue")
    wire.cut()
    expect(visit.page.locator(".pill")).to_have_text("Not live", timeout=15_000)
    expect(verdict).to_contain_text("The API can't be reached.")
    visit.page.wait_for_timeout(25_000)
    expect(verdict).not_to_contain_text("No Worker")
    site.run("UPDATE workers SET seen_at = clock_timestamp()")
    wire.mend()
    visit.is_live(15_000)
    expect(verdict).to_contain_text("overdue")


def test_a_wire_that_has_become_slow_is_enough_to_come_back(
    visit: Visit, site: Site, wire: Cutter
) -> None:
    visit.enter(origin=f"http://127.0.0.1:{wire.port}")
    wire.cut()
    expect(visit.page.locator(".pill")).to_have_text("Not live", timeout=15_000)
    visit.page.wait_for_timeout(20_000)
    wire.delay_seconds = 2
    wire.mend()
    item = site.work.enqueue()
    visit.has_status(item, "Queued", timeout=30_000)


def test_a_worker_that_was_silent_before_the_page_was_opened_is_told_so(
    visit: Visit, site: Site
) -> None:
    site.announce_worker()
    item = run_with_lease(site, "25 s")  # of 60
    visit.enter()
    expect(visit.row(item).locator(".silence")).to_contain_text("silent for 3")


def test_a_silent_item_is_told_whatever_the_list_shows(visit: Visit, site: Site) -> None:
    site.announce_worker()
    run_with_lease(site, "25 s")
    visit.enter("?status=Failed")
    expect(visit.page.locator(".verdict")).to_contain_text("1 item silent.")


def test_a_lease_that_beats_shorter_than_this_hosts_is_not_silence(
    visit: Visit, site: Site
) -> None:
    item = run_with_lease(site, "20 s")
    visit.enter()
    for _ in range(3):
        visit.page.wait_for_timeout(700)
        site.run(
            "UPDATE work_items SET lease_until = clock_timestamp() + interval '20 s'"
            " WHERE id = :item",
            item=item,
        )
    expect(visit.row(item).locator(".silence")).to_be_hidden()


def test_a_folder_that_no_living_worker_serves_is_told(visit: Visit, site: Site) -> None:
    anna = site.work.add_user()
    config = site.add_folder("photos", anna)
    site.work.enqueue(WorkKind.CRAWL, scope=config)
    site.announce_worker(whom=site.admin.id)
    site.announce_worker("40 s", whom=anna)
    visit.enter()
    verdict = visit.page.locator(".verdict")
    expect(verdict).to_contain_text("No Worker serves 1 folder.")
    expect(verdict).to_contain_text("photos")
    site.announce_worker(whom=anna)
    expect(verdict).not_to_contain_text("No Worker")


def test_a_worker_that_was_told_to_stop_is_not_there_and_not_missed(
    visit: Visit, site: Site
) -> None:
    site.announce_worker("5 s", has_stopped=True)
    visit.enter("?view=workers")
    expect(visit.page.locator("table.plain tbody .chip")).to_have_text("stopped")
    visit.enter()
    verdict = visit.page.locator(".verdict")
    expect(verdict).to_contain_text("No Worker is there.")
    expect(verdict).to_contain_text("The last one stopped")


@pytest.mark.parametrize(("poll", "silent", "word"), [(2, "40 s", "gone"), (60, "100 s", "there")])
def test_whoever_polls_seldom_is_gone_later(
    visit: Visit, site: Site, poll: int, silent: str, word: str
) -> None:
    site.announce_worker(silent)

    def as_configured(route: Route) -> None:
        answer = route.fetch()
        cadence = {**answer.json()["cadence"], "pollSeconds": poll}
        route.fulfill(response=answer, json={**answer.json(), "cadence": cadence})

    visit.page.route("**/api/v1/admin/workers", as_configured)
    visit.enter("?view=workers")
    expect(visit.page.locator("table.plain tbody .chip")).to_have_text(word)
