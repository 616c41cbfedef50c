"""A thousand rows: still there, still quick."""

from playwright.sync_api import expect

from tests.browser.site import Site
from tests.browser.visit import Visit

LONGEST_TASK_MS = 400


def test_a_thousand_rows_are_shown_and_follow(visit: Visit, site: Site) -> None:
    site.run(
        "INSERT INTO work_items (id, kind, payload, requested_at)"
        " SELECT gen_random_uuid(), 'TokenCleanup', '{}', clock_timestamp() - i * interval '1 s'"
        " FROM generate_series(1, 1000) i"
    )
    visit.enter()
    shown = visit.page.locator(".list-foot")
    expect(shown).to_contain_text("50 of 1,000 shown")
    for rows in ("200", "400", "600", "800"):
        visit.button("Show more").click()
        expect(shown).to_contain_text(f"{rows} of 1,000 shown")
    visit.button("Show more").click()
    expect(shown).to_contain_text("1,000 items")
    ids = visit.rows()
    assert len(ids) == len(set(ids)) == 1000
    visit.page.evaluate(
        "window.slow = []; new PerformanceObserver((list) => window.slow.push("
        "...list.getEntries().map((entry) => entry.duration))).observe({entryTypes: ['longtask']})"
    )
    site.run(
        "UPDATE work_items SET status = 'Cancelled', finished_at = clock_timestamp(),"
        " updated_at = clock_timestamp() WHERE id = ANY(CAST(:ids AS uuid[]))",
        ids=ids[:100],
    )
    visit.has_status(ids[0], "Cancelled")
    visit.has_status(ids[99], "Cancelled")
    visit.has_status(ids[100], "Queued")
    visit.page.wait_for_timeout(2_000)
    slowest: float = visit.page.evaluate("Math.max(0, ...window.slow)")
    assert slowest < LONGEST_TASK_MS
