"""Screen readers, keyboards, phones, dark rooms; and nobody who listens in."""

from typing import Literal

import pytest
from playwright.sync_api import expect

from domain.work.kind import WorkKind
from domain.work.outcome import Failed
from domain.work.progress import NO_PROGRESS, progress_of
from tests.browser.site import Site
from tests.browser.visit import Visit
from tests.contracts.harness import LEASE

VIEWS = ("", "?view=schedules", "?view=workers", "?view=folders", "?view=people")


def furnish(site: Site) -> str:
    """One item of each look; the id of the failed one."""
    failed = site.work.enqueue()
    site.work.execution.finish(site.work.claimed(), Failed("OSError: no"), NO_PROGRESS)
    site.work.enqueue()
    tag = site.work.claimed()
    site.work.execution.heartbeat(tag, progress_of(3, 7, "seven are found"), LEASE)
    config = site.add_folder("a/rather/long/path/to/photos/of/the/whole/family/since/1974")
    site.work.enqueue(WorkKind.CRAWL, scope=config)
    site.run(
        "INSERT INTO workers (id, name, host, version)"
        " VALUES (gen_random_uuid(), 'all@a-rather-long-host-name.example.org', 'x', '0.1.0')"
    )
    return str(failed)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_grave_in_any_view(
    visit: Visit, site: Site, scheme: Literal["light", "dark"]
) -> None:
    failed = furnish(site)
    visit.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    visit.go("")
    expect(visit.button("Log in")).to_be_visible()
    assert visit.barriers() == []
    visit.enter()
    for view in VIEWS:
        visit.go(view)
        visit.is_live()
        expect(visit.page.locator("main table:visible tbody tr").first).to_be_visible()
        assert visit.barriers() == [], view
    visit.go(f"?item={failed}")
    expect(visit.page.get_by_role("dialog")).to_contain_text("OSError: no")
    assert visit.barriers() == []


def test_everything_fits_on_a_phone(visit: Visit, site: Site) -> None:
    failed = furnish(site)
    visit.page.set_viewport_size({"width": 375, "height": 812})
    visit.enter()
    for view in VIEWS:
        visit.go(view)
        visit.is_live()
        expect(visit.page.locator("main table:visible tbody tr").first).to_be_visible()
        assert visit.fits(), view
    visit.go("")
    running = visit.page.locator('tr.row[data-status="Running"]')
    for part in (".chip", ".bar", ".note", ".requested", ".started", ".worker-cell", ".action"):
        expect(running.locator(part)).to_be_in_viewport()
    visit.row(failed).locator(".row-title").click()
    expect(visit.page.get_by_role("dialog")).to_contain_text("OSError: no")
    assert visit.fits()
    assert visit.barriers() == []


def test_the_keyboard_is_enough(visit: Visit, site: Site) -> None:
    item = site.work.enqueue()
    visit.enter()
    visit.has_status(item, "Queued")
    keyboard = visit.page.keyboard
    visit.row(item).locator(".row-title").focus()
    keyboard.press("Enter")
    drawer = visit.page.get_by_role("dialog")
    expect(drawer).to_be_visible()
    keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(visit.row(item).locator(".row-title")).to_be_focused()
    keyboard.press("Tab")
    expect(visit.row(item).locator(".action button")).to_be_focused()
    keyboard.press("Enter")
    visit.has_status(item, "Cancelled")
    expect(visit.page.locator("#said")).to_contain_text("Token cleanup is cancelled.")


def test_with_reduced_motion_nothing_moves(visit: Visit, site: Site) -> None:
    furnish(site)
    visit.page.emulate_media(reduced_motion="reduce")
    visit.enter()
    expect(visit.page.locator('tr.row[data-status="Running"]')).to_be_visible()
    moving = visit.page.evaluate(
        "document.getAnimations().filter((each) => each.playState === 'running').length"
    )
    assert moving == 0


def test_texts_of_items_never_become_markup(visit: Visit, site: Site) -> None:
    site.work.enqueue()
    markup = "<img src=x onerror=\"document.title='taken'\">"
    site.work.execution.finish(site.work.claimed(), Failed(markup), NO_PROGRESS)
    visit.enter()
    expect(visit.page.locator("tr.row .note")).to_have_text(markup)
    expect(visit.page).to_have_title("Anichron")


def test_events_are_read_whole_however_they_are_cut(visit: Visit) -> None:
    visit.enter()
    said = ': still here\n\nid: 7\nevent: work-item\ndata: {"a": 1}\n\nid: 8\nretry: 2\n\n'
    told = visit.page.evaluate(
        "async ([text, size]) => {"
        " const { EventParser } = await import('/admin/sse.js');"
        " const parser = new EventParser(); const found = [];"
        " for (let at = 0; at < text.length; at += size)"
        "   found.push(...parser.feed(text.slice(at, at + size)));"
        " return found }",
        [said, 3],
    )
    assert told == [
        {"event": "work-item", "data": '{"a": 1}', "id": "7"},
        {"event": "message", "data": "", "id": "8"},
    ]
