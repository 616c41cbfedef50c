"""Somebody at the admin's page: what is seen and done there, in the words of these tests."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

from playwright.sync_api import ConsoleMessage, Locator, Page, Request, expect

from tests.browser.site import NAME, Site

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
# What chromium itself says of answers that the page expects, and tells people of.
EXPECTED = re.compile(r"Failed to load resource")
SESSION = "anichron.session"
GRAVE = {"serious", "critical"}


def remembering(tokens: dict[str, str]) -> str:
    """What makes a page that opens for the first time find these tokens."""
    session = json.dumps(json.dumps(tokens))
    return (
        f"if (!sessionStorage.getItem('was.here')) sessionStorage.setItem('{SESSION}', {session});"
        " sessionStorage.setItem('was.here', 'yes')"
    )


@dataclass
class Visit:
    """One page of one browser. Errors and strangers are noted, and the fixture looks at them."""

    page: Page
    site: Site
    origin: str
    errors: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.set_default_timeout(10_000)
        expect.set_options(timeout=10_000)
        self.page.on("console", self._on_console)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", self._on_request)

    def enter(self, query: str = "", *, origin: str = "", is_live: bool = True) -> None:
        """Open the page as somebody who logged in before."""
        self.origin = origin or self.origin
        self.page.add_init_script(remembering({**self.site.tokens(), "userName": NAME}))
        self.go(query)
        if is_live:
            self.is_live()

    def go(self, query: str) -> None:
        """To a view, by its address."""
        self.page.goto(f"{self.origin}/admin/{query}")

    def is_live(self, timeout: int = 10_000) -> None:
        expect(self.page.locator(".pill")).to_have_text("Live", timeout=timeout)

    def row(self, item_id: UUID | str) -> Locator:
        return self.page.locator(f'tr[data-id="{item_id}"]')

    def has_status(self, item_id: UUID | str, status: str, timeout: int = 10_000) -> None:
        expect(self.row(item_id).locator(".chip")).to_have_text(status, timeout=timeout)

    def cancel(self, item_id: UUID | str) -> None:
        self.row(item_id).locator(".action button").click()

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def is_told(self, words: str) -> None:
        expect(self.page.locator(".toast").filter(has_text=words)).to_be_visible()

    def rows(self) -> list[str]:
        """The ids from top to bottom."""
        ids: list[str] = self.page.locator("tr.row").evaluate_all(
            "rows => rows.map((row) => row.dataset.id)"
        )
        return ids

    def fits(self) -> bool:
        """Whether nothing has to be scrolled sideways."""
        fits: bool = self.page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )
        return fits

    def barriers(self) -> list[Any]:
        """What axe finds grave, with where it found it."""
        if not self.page.evaluate("'axe' in window"):
            # As the tests' own; the page's policy keeps it from being added as a script.
            self.page.evaluate(AXE.read_text() + ";0")
        found: dict[str, Any] = self.page.evaluate("axe.run()")
        return [
            (each["id"], each["nodes"][0]["html"], each["nodes"][0]["failureSummary"])
            for each in found["violations"]
            if each["impact"] in GRAVE
        ]

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and not EXPECTED.match(message.text):
            self.errors.append(message.text)

    def _on_request(self, request: Request) -> None:
        if not request.url.startswith(f"{self.origin}/"):
            self.strangers.append(request.url)
