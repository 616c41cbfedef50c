"""The line at the top: never that all is well while something is not."""

import re
from datetime import timedelta
from uuid import UUID

import pytest
from playwright.sync_api import expect

from domain.work.kind import WorkKind
from domain.work.outcome import Failed, Succeeded
from domain.work.progress import NO_PROGRESS, Progress
from tests.browser.site import Site
from tests.browser.visit import Visit

# Nothing is read but what is asked for.
NOT_NOW_AND_THEN = """{
  const real = setInterval;
  window.setInterval = (work, pause) => (pause === 5000 ? 0 : real(work, pause));
}"""
RESULT = {"found": 9, "failed": 2, "ingested": 7, "seconds": 0.5, "heldBack": 0}


def run(
    site: Site,
    kind: str = WorkKind.TOKEN_CLEANUP,
    *,
    held_back: int = 0,
    key: str | None = None,
    config: UUID | None = None,
) -> UUID:
    """An item that succeeded."""
    item = site.work.enqueue(kind, key=key, scope=config)
    result = Succeeded({**RESULT, "heldBack": held_back})
    site.work.execution.finish(site.work.claimed(), result, NO_PROGRESS)
    return item


def settle_all_else(site: Site) -> None:
    run(site, key="token-cleanup")
    run(site, WorkKind.WORK_ITEM_RETENTION, key="work-item-retention")


@pytest.mark.parametrize("others", [0, 6])
def test_a_crawl_that_was_held_back_is_told_until_the_next(
    visit: Visit, site: Site, others: int
) -> None:
    for number in range(others):
        other = site.add_folder(f"other-{number}")
        run(site, WorkKind.CRAWL, key=f"crawl:{other}", config=other)
    config = site.add_folder("photos")
    settle_all_else(site)
    key = f"crawl:{config}"
    held_back = run(site, WorkKind.CRAWL, held_back=16_000, key=key, config=config)
    site.announce_worker()
    visit.enter("?status=Failed")
    verdict = visit.page.locator(".verdict")
    expect(verdict).to_contain_text("A crawl was held back.")
    expect(verdict).to_contain_text(
        "was missing: 16,000 pictures and videos. Nothing was taken away."
    )
    verdict.get_by_role("button", name="See why").click()
    expect(visit.page.get_by_role("dialog")).to_contain_text("choose “Accept missing files”")
    assert f"item={held_back}" in visit.page.url
    visit.page.keyboard.press("Escape")
    run(site, WorkKind.CRAWL, key=key, config=config)
    expect(verdict).to_contain_text("All quiet.")


def test_a_failure_hides_no_crawl_that_was_held_back(visit: Visit, site: Site) -> None:
    one, other = site.add_folder("photos"), site.add_folder("films")
    settle_all_else(site)
    run(site, WorkKind.CRAWL, held_back=16_000, key=f"crawl:{one}", config=one)
    site.work.enqueue(WorkKind.CRAWL, key=f"crawl:{other}", scope=other)
    site.work.execution.finish(site.work.claimed(), Failed("RootEmpty: empty"), NO_PROGRESS)
    site.announce_worker()
    visit.enter()
    verdict = visit.page.locator(".verdict")
    expect(verdict).to_contain_text("Failed last time:")
    expect(verdict).to_contain_text("films")
    expect(verdict).to_contain_text("Besides, 1 crawl was held back.")


def test_what_waits_is_not_quiet(visit: Visit, site: Site) -> None:
    settle_all_else(site)
    site.announce_worker()
    site.work.enqueue("OfALaterRelease")
    visit.enter()
    verdict = visit.page.locator(".verdict")
    expect(verdict).to_have_text(re.compile(r"^Work waits\. ?1 Worker is there, 1 waiting\.$"))


def test_a_worker_that_has_become_quiet_is_not_counted_as_there(visit: Visit, site: Site) -> None:
    settle_all_else(site)
    site.announce_worker()
    site.announce_worker("15 s")
    visit.enter()
    verdict = visit.page.locator(".verdict")
    expect(verdict).to_contain_text("1 Worker is there, 1 quiet for some seconds")


def test_a_result_is_told_in_an_order_that_adds_up(visit: Visit, site: Site) -> None:
    item = run(site)
    visit.enter(f"?item={item}")
    names = visit.page.get_by_role("dialog").locator(".result th")
    expect(names).to_have_text(["Found", "Ingested", "Failed", "Held back", "Seconds"])


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        ("RootUnavailable: root unavailable: No such file or directory", "Is the disk mounted"),
        ("RootUnavailable: root unavailable: it is not below WORKER__ROOT", "a folder above"),
        ("RootUnavailable: root unavailable: it lies among the proxies", "Remove it under Folders"),
        ("OddError: nobody knows", "in the Worker's log"),
    ],
)
def test_a_failure_comes_with_what_to_do(visit: Visit, site: Site, error: str, advice: str) -> None:
    item = site.work.enqueue(WorkKind.CRAWL)
    site.work.execution.finish(site.work.claimed(), Failed(error), NO_PROGRESS)
    visit.enter(f"?item={item}")
    expect(visit.page.get_by_role("dialog")).to_contain_text(advice)


def test_an_end_is_told_as_one(visit: Visit, site: Site) -> None:
    item, tag = site.work.enqueue(), site.work.claimed()
    site.run("UPDATE work_items SET stalls = 2")
    site.work.execution.heartbeat(tag, Progress(done=0, total=0), timedelta(minutes=1))
    visit.enter(f"?item={item}")
    drawer = visit.page.get_by_role("dialog")
    expect(drawer.locator(".timeline")).to_contain_text("Stalled 2 times so far")
    site.work.execution.finish(tag, Succeeded({}), Progress(done=0, total=0))
    expect(drawer.locator(".timeline")).to_contain_text("Stalled 2 times")
    expect(drawer.locator(".timeline")).not_to_contain_text("so far")
    expect(drawer.locator(".figures")).to_have_text("nothing to do")


def test_a_request_to_stop_that_came_too_late_is_explained(visit: Visit, site: Site) -> None:
    item, tag = site.work.enqueue(), site.work.claimed()
    site.work.canceller.cancel(item)
    site.work.execution.finish(tag, Succeeded({}), NO_PROGRESS)
    visit.enter(f"?item={item}")
    drawer = visit.page.get_by_role("dialog")
    expect(drawer).to_contain_text("before it heard that it should stop")


@pytest.mark.parametrize(
    ("outcome", "words"),
    [(Succeeded({}), "16,120 done"), (Failed("OSError: no"), "stopped at 16,120")],
)
def test_what_was_only_counted_is_not_called_done(
    visit: Visit, site: Site, outcome: Succeeded | Failed, words: str
) -> None:
    item = site.work.enqueue()
    site.work.execution.finish(site.work.claimed(), outcome, Progress(done=16_120))
    visit.enter()
    expect(visit.row(item).locator(".figures")).to_have_text(words)


def test_the_verdict_follows_the_end_of_an_item_at_once(visit: Visit, site: Site) -> None:
    settle_all_else(site)
    config = site.add_folder("photos")
    site.announce_worker()
    site.work.enqueue(WorkKind.CRAWL, key=f"crawl:{config}", scope=config)
    tag = site.work.claimed()
    visit.page.add_init_script(NOT_NOW_AND_THEN)
    visit.enter()
    verdict = visit.page.locator(".verdict")
    expect(verdict).to_contain_text("Working.")
    visit.page.wait_for_timeout(1_000)  # what was asked for at the beginning is answered by then
    site.work.execution.finish(tag, Failed("OSError: no"), NO_PROGRESS)
    expect(verdict).to_contain_text("Failed last time")
