"""Stopping work, one item and several."""

import re
import signal
import time
from uuid import UUID, uuid4

from playwright.sync_api import Route, expect

from application.ports.work_queue import NewWorkItem
from domain.work.kind import WorkKind
from domain.work.outcome import Succeeded
from domain.work.progress import NO_PROGRESS
from domain.work.status import WorkStatus
from tests.browser.site import Site
from tests.browser.visit import Visit

EVENTS = "**/api/v1/admin/work-items/events"


def working(site: Site) -> UUID:
    """A running item that stops when it is told to, with a partial result."""
    payload = {"kind": "Script", "act": "work", "seconds": 60}
    return site.work.queue.enqueue(NewWorkItem(id=uuid4(), kind="Script", payload=payload)).id


def test_a_queued_item_is_cancelled_at_once(visit: Visit, site: Site) -> None:
    item = site.work.enqueue()
    visit.enter()
    visit.cancel(item)
    visit.is_told("Token cleanup is cancelled.")
    visit.has_status(item, "Cancelled")
    assert site.work.item(item).status is WorkStatus.CANCELLED
    expect(visit.row(item).locator(".action button")).to_be_hidden()


def test_a_running_item_is_asked_to_stop_and_then_shows_its_partial_result(
    visit: Visit, site: Site
) -> None:
    site.start_worker(QUEUE__LEASE_SECONDS="60")
    item = working(site)
    visit.enter()
    visit.has_status(item, "Running")
    site.workers[0].send_signal(signal.SIGSTOP)  # it hears of the request when we want it to
    visit.cancel(item)
    visit.has_status(item, "Cancelling…")
    expect(visit.row(item).locator(".action button")).to_be_hidden()
    site.workers[0].send_signal(signal.SIGCONT)
    visit.has_status(item, "Cancelled")
    visit.row(item).locator(".row-title").click()
    drawer = visit.page.get_by_role("dialog")
    expect(drawer).to_contain_text("Asked to stop")
    expect(drawer.locator(".partial")).to_have_text("partial")
    expect(drawer.locator(".result")).to_contain_text("Done")
    visit.page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(visit.page).not_to_have_url(re.compile("item="))


def test_one_that_has_ended_meanwhile_is_explained_in_words(visit: Visit, site: Site) -> None:
    visit.page.route(EVENTS, lambda route: route.abort())  # so that the page can't know of the end
    item = site.work.enqueue()
    visit.enter(is_live=False)
    visit.has_status(item, "Queued")
    site.work.execution.finish(site.work.claimed(), Succeeded({}), NO_PROGRESS)
    visit.cancel(item)
    visit.is_told("Too late: Token cleanup had succeeded before the request came.")
    visit.has_status(item, "Succeeded")


def test_several_are_cancelled_after_a_question(visit: Visit, site: Site) -> None:
    site.start_worker()
    running = working(site)
    visit.enter()
    visit.has_status(running, "Running")
    queued = [site.work.enqueue(kind) for kind in (WorkKind.TOKEN_CLEANUP, "Script")]
    for item in queued:
        visit.has_status(item, "Queued")
    for item in (running, *queued):
        visit.row(item).get_by_role("checkbox").check()
    expect(visit.page.get_by_text("3 items selected")).to_be_visible()
    visit.button("Cancel 3 items").click()
    question = visit.page.get_by_role("dialog")
    expect(question).to_contain_text("2 waiting items will be cancelled at once.")
    expect(question).to_contain_text("1 running item will be asked to stop")
    question.get_by_role("button", name="Keep them").click()
    visit.has_status(queued[0], "Queued")
    visit.button("Cancel 3 items").click()
    question.get_by_role("button", name="Cancel them").click()
    visit.is_told("2 cancelled, 1 asked to stop.")
    for item in (running, *queued):
        visit.has_status(item, "Cancelled")
    expect(visit.page.get_by_text("3 items selected")).to_be_hidden()


def test_of_very_many_none_waits_too_long_for_its_turn(visit: Visit, site: Site) -> None:
    for _ in range(50):
        site.work.enqueue()

    def slowly(route: Route) -> None:
        time.sleep(0.5)
        route.continue_()

    visit.enter()
    visit.page.route("**/cancel", slowly)
    visit.page.get_by_label("Select all that can be cancelled").check()
    visit.button("Cancel 50 items").click()
    visit.button("Cancel them").click()
    expect(visit.page.locator(".toast")).to_have_text("50 cancelled.", timeout=60_000)


def test_a_cancelled_crawl_says_that_nothing_is_lost(visit: Visit, site: Site) -> None:
    item = site.work.enqueue("Crawl")
    visit.enter(f"?item={item}")
    drawer = visit.page.get_by_role("dialog")
    drawer.get_by_role("button", name="Cancel").click()
    expect(drawer).to_contain_text("What was done so far stays. The next crawl does the rest")
