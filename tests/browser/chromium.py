"""Debian's chromium, driven; it asks nobody but the site."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

MISSING = "chromium is not installed (Debian: apt-get install chromium)"
FLAGS = (
    *("--no-sandbox", "--headless", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


def chromium_path() -> str | None:
    """Where it is; None: nowhere."""
    return shutil.which("chromium", path="/usr/bin:/usr/local/bin")


@contextmanager
def running_chromium(path: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()
