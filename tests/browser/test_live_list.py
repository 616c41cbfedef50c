"""The list as it moves."""

import re
import signal
from datetime import timedelta
from uuid import UUID, uuid4

from playwright.sync_api import expect

from application.ports.work_queue import NewWorkItem
from domain.work.kind import WorkKind
from domain.work.outcome import Failed
from domain.work.progress import NO_PROGRESS, Progress
from tests.browser.pictures import write_pictures
from tests.browser.site import PATIENT, PRODUCT, Site
from tests.browser.visit import Visit


def script(site: Site, act: str, seconds: float) -> UUID:
    payload = {"kind": "Script", "act": act, "seconds": seconds}
    return site.work.queue.enqueue(NewWorkItem(id=uuid4(), kind="Script", payload=payload)).id


def test_a_crawl_is_seen_to_move_and_to_end(visit: Visit, site: Site) -> None:
    write_pictures(site.folder / "photos", 90)
    config = site.add_folder("photos")
    visit.enter()
    crawl = visit.page.locator("tr.row").filter(has_text="Crawl")
    bar = crawl.get_by_role("progressbar")
    # They are taken in the order of their names.
    with site.holding(config, "000060.jpg"):
        with site.holding(config, "000030.jpg"):
            site.start_worker(
                PRODUCT, WORKER__MAX_CONCURRENT_FILES="1", QUEUE__HEARTBEAT_SECONDS="0.3", **PATIENT
            )
            expect(crawl).to_contain_text("30 of 90 · 33 %")
            expect(bar).to_have_attribute("aria-valuenow", "33")
        expect(crawl).to_contain_text("60 of 90 · 66 %")
        expect(bar).to_have_attribute("aria-valuenow", "67")
        expect(crawl).to_contain_text(re.compile(r"/s · .+ left"))
    expect(crawl.locator(".chip")).to_have_text("Succeeded", timeout=20_000)
    expect(crawl).to_contain_text("all 90")
    expect(crawl).to_contain_text("scheduled")


def test_a_crawl_that_was_seen_to_list_has_a_pace_when_it_ingests(visit: Visit, site: Site) -> None:
    item, tag = site.work.enqueue(), site.work.claimed()
    visit.enter()
    row = visit.row(item)

    def beat(progress: Progress) -> None:
        site.work.execution.heartbeat(tag, progress, timedelta(minutes=1))

    beat(Progress(done=900))
    expect(row).to_contain_text("900 so far")
    beat(Progress(done=0, total=900))
    expect(row).to_contain_text("0 of 900")
    expect(row.locator(".pace")).to_have_text("")
    beat(Progress(done=20, total=900))
    expect(row.locator(".pace")).to_have_text(re.compile(r"/s · .+ left"))


def test_where_the_total_is_unknown_the_bar_says_so(visit: Visit, site: Site) -> None:
    site.start_worker()
    item = script(site, "work", 30)
    visit.enter()
    bar = visit.row(item).get_by_role("progressbar")
    expect(bar).to_have_class(re.compile("indeterminate"))
    assert bar.get_attribute("aria-valuenow") is None
    expect(visit.row(item)).to_contain_text(re.compile(r"\d+ so far"))
    expect(visit.row(item)).to_contain_text(re.compile(r"\d+/s"))
    expect(visit.row(item)).to_contain_text(re.compile(r"\d+ done"))  # the note


def test_a_worker_gone_silent_is_told(visit: Visit, site: Site) -> None:
    site.start_worker(QUEUE__LEASE_SECONDS="60")
    item = script(site, "work", 60)
    visit.enter()
    visit.has_status(item, "Running")
    expect(visit.row(item).locator(".silence")).to_be_hidden()
    visit.page.wait_for_timeout(700)  # a beat, so that the lease's length is known
    worker = site.workers[0]
    worker.send_signal(signal.SIGSTOP)
    # Nobody waits for it: what it said last is moved into the past.
    site.run("UPDATE work_items SET lease_until = lease_until - interval '20 s'")
    expect(visit.row(item).locator(".silence")).to_contain_text(re.compile(r"silent for 2\d s"))
    expect(visit.page.locator(".verdict")).to_contain_text("1 item silent.")
    site.run("UPDATE work_items SET lease_until = lease_until - interval '60 s'")
    expect(visit.row(item).locator(".silence")).to_contain_text("Worker lost")


def test_tabs_count_and_follow(visit: Visit, site: Site) -> None:
    failed = site.work.enqueue()
    site.work.execution.finish(site.work.claimed(), Failed("ValueError: no"), NO_PROGRESS)
    visit.enter()
    tab = visit.page.locator(".tab")
    expect(tab.filter(has_text="All")).to_have_text("All1")
    expect(visit.row(failed)).to_contain_text("ValueError: no")
    queued = site.work.enqueue(WorkKind.WORK_ITEM_RETENTION)
    visit.has_status(queued, "Queued")
    expect(tab.filter(has_text="All")).to_have_text("All2")
    expect(tab.filter(has_text="Queued")).to_have_text("Queued1")
    expect(tab.filter(has_text="Failed")).to_have_text("Failed1")
    kinds = visit.page.get_by_label("Kind").locator("option")
    expect(kinds).to_have_text(
        ["All kinds", "Token cleanup (1)", "Queue retention (1)", "Crawl (0)"]
    )
    visit.page.get_by_label("Kind").select_option(value="TokenCleanup")
    expect(tab.filter(has_text="All")).to_have_text("All1")
    expect(tab.filter(has_text="Queued")).to_have_text("Queued0")
    tab.filter(has_text="Failed").click()
    expect(kinds.nth(2)).to_have_text("Queue retention (0)")


def test_filters_stand_in_the_address_and_hold_for_what_comes(visit: Visit, site: Site) -> None:
    config = site.add_folder("photos")
    crawl = site.work.enqueue(WorkKind.CRAWL, scope=config)
    cleanup = site.work.enqueue(WorkKind.TOKEN_CLEANUP)
    visit.enter()
    visit.page.get_by_label("Kind").select_option(value="TokenCleanup")
    expect(visit.row(crawl)).to_have_count(0)
    expect(visit.row(cleanup)).to_be_visible()
    assert "kind=TokenCleanup" in visit.page.url
    visit.page.get_by_label("Kind").select_option(label="All kinds")
    visit.page.get_by_label("Scope").select_option(value=str(config))
    expect(visit.row(cleanup)).to_have_count(0)
    visit.page.locator(".tab").filter(has_text="Queued").click()
    assert f"scope={config}&status=Queued" in visit.page.url
    visit.page.reload()
    visit.is_live()
    expect(visit.row(crawl)).to_be_visible()
    unseen = site.work.enqueue(WorkKind.WORK_ITEM_RETENTION)
    later = site.work.enqueue(WorkKind.CRAWL, scope=config)
    expect(visit.row(later)).to_be_visible()
    expect(visit.row(unseen)).to_have_count(0)
    visit.page.go_back()
    visit.page.go_back()
    expect(visit.row(unseen)).to_be_visible()


def test_rows_hold_still_under_the_pointer(visit: Visit, site: Site) -> None:
    first = site.work.enqueue()
    visit.enter()
    visit.row(first).hover()
    place = visit.row(first).bounding_box()
    later = site.work.enqueue(WorkKind.WORK_ITEM_RETENTION)
    news = visit.page.get_by_role("button", name="Show 1 new item")
    expect(news).to_be_visible()
    assert visit.row(first).bounding_box() == place
    # It changes where it stands, though.
    site.work.claim()
    visit.has_status(first, "Running")
    assert visit.rows() == [str(first)]
    visit.page.mouse.move(5, 5)
    expect(visit.row(later)).to_be_visible()
    assert visit.rows() == [str(later), str(first)]


def test_nothing_changes_while_somebody_selects(visit: Visit, site: Site) -> None:
    first = site.work.enqueue()
    visit.enter()
    visit.row(first).get_by_role("checkbox").check()
    expect(visit.page.get_by_text("1 item selected")).to_be_visible()
    site.work.claim()
    later = site.work.enqueue(WorkKind.WORK_ITEM_RETENTION)
    expect(visit.page.get_by_text("2 updates waiting")).to_be_visible()
    visit.has_status(first, "Queued")
    expect(visit.row(later)).to_have_count(0)
    visit.button("Clear").click()
    visit.page.mouse.move(5, 5)
    visit.has_status(first, "Running")
    expect(visit.row(later)).to_be_visible()


def test_an_item_that_went_with_its_folder_leaves_the_list(visit: Visit, site: Site) -> None:
    config = site.add_folder("photos")
    gone = site.work.enqueue(WorkKind.CRAWL, scope=config)
    stays = site.work.enqueue()
    visit.enter()
    expect(visit.row(gone)).to_be_visible()
    site.work.delete_config(config)
    expect(visit.row(gone)).to_have_count(0)
    expect(visit.row(stays)).to_be_visible()


def test_an_empty_queue_says_what_to_do(visit: Visit) -> None:
    visit.enter()
    expect(visit.page.get_by_text("Nothing to do yet")).to_be_visible()
    expect(visit.page.locator(".verdict")).to_contain_text("No Worker is there.")
    expect(visit.page.locator(".verdict")).to_contain_text("anichron worker")


def test_an_address_of_something_that_is_gone_leads_on(visit: Visit, site: Site) -> None:
    item = site.work.enqueue()
    visit.enter("?kind=OfAnOlderRelease", is_live=False)
    expect(visit.page.get_by_role("alert")).to_contain_text("kind")
    visit.button("Show everything").click()
    visit.is_live()
    expect(visit.row(item)).to_be_visible()


def test_whoever_came_after_the_page_was_opened_is_named(visit: Visit, site: Site) -> None:
    visit.enter()
    anna = site.work.add_user()
    site.run("UPDATE users SET name = 'anna' WHERE id = :id", id=anna)
    item = site.work.enqueue()
    site.run(
        "UPDATE work_items SET requested_by = :anna, updated_at = clock_timestamp()", anna=anna
    )
    expect(visit.row(item)).to_contain_text("by anna")
