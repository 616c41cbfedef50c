"""Schedules, Workers, folders and people; and one item in full."""

import re

from playwright.sync_api import Locator, expect

from domain.work.outcome import Failed
from domain.work.progress import NO_PROGRESS
from tests.browser.site import NAME, Site
from tests.browser.visit import Visit


def line(visit: Visit, words: str) -> Locator:
    return visit.page.locator("table.plain tbody tr").filter(has_text=words)


def test_schedules_tell_the_last_run_and_the_next(visit: Visit, site: Site) -> None:
    site.add_folder("photos")
    failed = site.work.enqueue(key="token-cleanup")
    site.work.execution.finish(site.work.claimed(), Failed("OSError: no"), NO_PROGRESS)
    site.work.enqueue(key="work-item-retention", kind="WorkItemRetention")
    visit.enter("?view=schedules")
    expect(line(visit, "Token cleanup")).to_contain_text(re.compile(r"1 d.*Failed.*in 23 h"))
    expect(line(visit, "Queue retention")).to_contain_text(re.compile(r"never yet.*Queued"))
    expect(line(visit, "Crawl")).to_contain_text(re.compile(r"4 h.*never yet.*not begun"))
    line(visit, "Token cleanup").get_by_role("button").click()
    drawer = visit.page.get_by_role("dialog")
    expect(drawer).to_contain_text("OSError: no")
    assert f"item={failed}" in visit.page.url


def test_workers_tell_their_last_sign_of_life(visit: Visit, site: Site) -> None:
    site.start_worker()
    visit.enter("?view=workers")
    expect(line(visit, "all@")).to_contain_text(re.compile(r"everyone.*waiting for work.*there"))
    site.stop_workers()
    site.run("UPDATE workers SET seen_at = seen_at - interval '2 min'")
    expect(line(visit, "all@")).to_contain_text(re.compile(r"gone2 min ago"))


def test_folders_are_added_deactivated_and_removed(visit: Visit) -> None:
    visit.enter("?view=folders")
    expect(visit.page.get_by_text("No folder yet")).to_be_visible()
    visit.button("Add a folder").click()
    visit.page.get_by_label("Path on the Workers").fill("photos")
    visit.button("Add it").click()
    expect(visit.page.get_by_role("alert")).to_have_text("The path must be an absolute path")
    visit.page.get_by_label("Path on the Workers").fill("/data/originals/anna")
    visit.page.get_by_label("Time zone").fill("Europe/Berlin")
    visit.button("Add it").click()
    folder = line(visit, "/data/originals/anna")
    expect(folder).to_contain_text(re.compile(f"{NAME}.*Europe/Berlin.*active"))
    visit.button("Deactivate: /data/originals/anna").click()
    expect(folder).to_contain_text("inactive")
    visit.button("Activate: /data/originals/anna").click()
    expect(folder.locator(".chip")).to_have_text("active")
    visit.button("Remove: /data/originals/anna").click()
    question = visit.page.get_by_role("dialog")
    expect(question).to_contain_text("Its work items go")
    expect(question).to_contain_text("The originals are not touched.")
    question.get_by_role("button", name="Keep it").click()
    expect(folder).to_be_visible()
    visit.button("Remove: /data/originals/anna").click()
    question.get_by_role("button", name="Remove it").click()
    expect(folder).to_have_count(0)


def test_a_folder_inside_another_is_refused_by_the_names_of_both(visit: Visit, site: Site) -> None:
    site.add_folder("photos")
    visit.enter("?view=folders")
    visit.button("Add a folder").click()
    visit.page.get_by_label("Path on the Workers").fill(str(site.folder / "photos" / "2019"))
    visit.button("Add it").click()
    expect(visit.page.get_by_role("alert")).to_have_text(
        f"It overlaps {site.folder / 'photos'} of {NAME}. A folder can be registered once only."
    )


def test_the_button_under_the_pointer_can_be_read(visit: Visit, site: Site) -> None:
    site.add_folder("photos")
    visit.enter("?view=folders")
    colours = "button => [getComputedStyle(button).color, getComputedStyle(button).backgroundColor]"
    add = visit.button("Add a folder")
    at_rest = add.evaluate(colours)
    add.hover()
    visit.page.wait_for_timeout(500)  # the change of a colour takes a moment
    assert add.evaluate(colours) == at_rest
    visit.page.get_by_role("button", name="Remove: ").click()
    remove = visit.page.get_by_role("dialog").get_by_role("button", name="Remove it")
    at_rest = remove.evaluate(colours)
    remove.hover()
    visit.page.wait_for_timeout(500)
    assert remove.evaluate(colours) == at_rest


def test_missing_files_are_accepted_after_a_question(visit: Visit, site: Site) -> None:
    site.add_folder("photos")
    visit.enter("?view=folders")
    visit.page.get_by_role("button", name=re.compile("Accept missing files: ")).click()
    question = visit.page.get_by_role("dialog")
    expect(question).to_contain_text("may not be mounted")
    question.get_by_role("button", name="Accept them, once").click()
    visit.is_told("A crawl was asked for.")
    visit.page.get_by_role("link", name="Queue").click()
    expect(visit.page.locator("tr.row")).to_contain_text(re.compile(f"Crawl.*by {NAME}"))


def test_people_are_added_disabled_and_removed(visit: Visit) -> None:
    visit.enter("?view=people")
    visit.button("Add a person").click()
    visit.page.get_by_label("Name").fill("anna")
    visit.page.get_by_label("E-mail").fill("anna@example.org")
    visit.page.get_by_label("Password").fill("short")
    visit.button("Add them").click()
    expect(visit.page.get_by_role("alert")).to_contain_text("password must")
    visit.page.get_by_label("Password").fill("long enough for everybody")
    visit.button("Add them").click()
    anna = line(visit, "anna@example.org")
    expect(anna).to_contain_text(re.compile(r"member.*enabled"))
    visit.button("Disable: anna").click()
    question = visit.page.get_by_role("dialog")
    expect(question).to_contain_text("logged out everywhere")
    question.get_by_role("button", name="Disable", exact=True).click()
    expect(anna).to_contain_text("disabled")
    visit.button("Enable: anna").click()
    expect(anna).to_contain_text("enabled")
    visit.button("Remove: anna").click()
    expect(question).to_contain_text("Their 0 folders go too")
    question.get_by_role("button", name="Remove them").click()
    expect(anna).to_have_count(0)


def test_the_last_admin_stays_and_the_page_says_why(visit: Visit) -> None:
    visit.enter("?view=people")
    visit.button(f"Remove: {NAME}").click()
    visit.page.get_by_role("dialog").get_by_role("button", name="Remove them").click()
    expect(visit.page.locator(".toast.bad")).to_be_visible()
    expect(line(visit, NAME)).to_have_count(1)


def test_an_item_is_told_in_full_and_its_error_can_be_copied(visit: Visit, site: Site) -> None:
    visit.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    item = site.work.enqueue()
    error = "RootUnavailable: root unavailable: " + "x" * 1_000
    site.work.execution.finish(site.work.claimed(), Failed(error), NO_PROGRESS)
    visit.enter(f"?item={item}")
    drawer = visit.page.get_by_role("dialog")
    expect(drawer).to_contain_text("Is the disk mounted there")
    expect(drawer.locator(".error-text")).to_have_text(error)
    drawer.get_by_role("button", name="Copy", exact=True).click()
    visit.is_told("The error is copied.")
    assert visit.page.evaluate("navigator.clipboard.readText()") == error
    drawer.get_by_role("button", name="Close").click()
    expect(drawer).to_be_hidden()


def test_an_item_that_is_not_there_is_said_to_be_gone(visit: Visit) -> None:
    visit.enter("?item=01a22e93-4542-7522-aa97-9f08bd380e6c")
    expect(visit.page.get_by_role("dialog")).to_contain_text("does not exist any more")
