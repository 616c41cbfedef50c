"""Takes the picture of the admin's page for the README, from a real run.

`python -m tests.browser.screenshot FILE [--views FOLDER]`; with a folder, also pictures of every
view, light and dark, wide and narrow, to look at.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Literal, TypeAlias
from uuid import UUID

from playwright.sync_api import Browser, Page

from adapters.postgres.users import PostgresUsers
from application.ports.users import NewUser
from tests.browser.chromium import MISSING, chromium_path, running_chromium
from tests.browser.pictures import write_pictures
from tests.browser.site import NAME, PASSWORD, PRODUCT, Site, running_site
from tests.postgres_server import running_server

ColorScheme: TypeAlias = Literal["light", "dark"]
WIDE, NARROW = (1280, 800), (375, 812)
VIEWS = ("", "?view=schedules", "?view=workers", "?view=folders", "?view=people")


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("file", type=Path)
    arguments.add_argument("--views", type=Path)
    given = arguments.parse_args()
    chromium = chromium_path()
    if chromium is None:
        print(MISSING)
        return 1
    with (
        tempfile.TemporaryDirectory() as folder,
        running_server() as server,
        running_chromium(chromium) as browser,
    ):
        Path(folder).chmod(0o755)
        server.prepare_template()
        with running_site(server, Path(folder)) as site:
            arrange(site)
            page = logged_in(browser, site, WIDE, "light")
            page.mouse.move(0, 0)
            page.wait_for_timeout(6_000)
            page.screenshot(path=given.file)
            if given.views:
                given.views.mkdir(exist_ok=True)
                look_at_everything(browser, site, given.views)
    return 0


def arrange(site: Site) -> None:
    """A family's installation in the middle of its first crawls."""
    anna, jonas = (person(site, name) for name in ("anna", "jonas"))
    write_pictures(site.folder / "photos/anna", 900)
    write_pictures(site.folder / "photos/jonas", 6)
    site.add_folder("photos/jonas", jonas)
    site.add_folder("photos/usb-disk", jonas)
    site.start_worker(PRODUCT, WORKER__MAX_CONCURRENT_FILES="1", QUEUE__HEARTBEAT_SECONDS="0.5")
    until(site, 4)
    config = site.add_folder("photos/anna", anna)
    token = site.tokens()["accessToken"]
    site.call("POST", f"admin/storage-configs/{config}/allow-missing", token=token)
    time.sleep(3)
    first = site.call("GET", "admin/work-items?status=Running", token=token)["items"][0]["id"]
    site.call("POST", f"admin/work-items/{first}/cancel", token=token)
    time.sleep(2)
    for each in (config, config):
        site.call("POST", f"admin/storage-configs/{each}/allow-missing", token=token)
        time.sleep(1)


def person(site: Site, name: str) -> UUID:
    users = PostgresUsers(engine=site.engine)
    new = NewUser(name=name, email=f"{name}@example.org", password_hash="none", is_admin=False)
    return users.add(new).id


def until(site: Site, finished: int) -> None:
    """Wait until so many items have ended."""
    token = site.tokens()["accessToken"]
    end = time.monotonic() + 60
    ended = "admin/work-items?status=Succeeded&status=Failed"
    while site.call("GET", ended, token=token)["total"] < finished:
        assert time.monotonic() < end
        time.sleep(0.2)


def logged_in(browser: Browser, site: Site, size: tuple[int, int], scheme: ColorScheme) -> Page:
    page = browser.new_page(
        viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, locale="en-GB"
    )
    page.goto(f"{site.origin}/admin/")
    page.get_by_label("Name or e-mail").fill(NAME)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.get_by_text("Live", exact=True).wait_for()
    return page


def look_at_everything(browser: Browser, site: Site, folder: Path) -> None:
    schemes: tuple[ColorScheme, ...] = ("light", "dark")
    for scheme in schemes:
        for name, size in (("wide", WIDE), ("narrow", NARROW)):
            page = logged_in(browser, site, size, scheme)
            for view in VIEWS:
                page.goto(f"{site.origin}/admin/{view}")
                page.wait_for_timeout(2_500)
                page.screenshot(path=folder / f"{scheme}-{name}-{view[6:] or 'queue'}.png")
            page.goto(f"{site.origin}/admin/")
            for status in ("Succeeded", "Failed", "Cancelled"):
                page.goto(f"{site.origin}/admin/?status={status}")
                page.wait_for_timeout(1_500)
                page.locator(".row-title").first.click()
                page.wait_for_timeout(800)
                page.screenshot(path=folder / f"{scheme}-{name}-detail-{status}.png")
            page.close()
            fresh = browser.new_page(
                viewport={"width": size[0], "height": size[1]}, color_scheme=scheme
            )
            fresh.goto(f"{site.origin}/admin/")
            fresh.wait_for_timeout(500)
            fresh.screenshot(path=folder / f"{scheme}-{name}-login.png")
            fresh.close()


if __name__ == "__main__":
    sys.exit(main())
