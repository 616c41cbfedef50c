from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.chromium import MISSING, chromium_path, running_chromium
from tests.browser.site import Site, running_site
from tests.browser.visit import Visit
from tests.postgres_server import TestServer


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = chromium_path()
    if path is None:
        pytest.skip(MISSING)
    with running_chromium(path) as browser:
        yield browser


@pytest.fixture(scope="session")
def shared_site(
    chromium: Browser,  # noqa: ARG001  # without it there is nothing to start for
    server: TestServer,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Site]:
    with running_site(server, tmp_path_factory.mktemp("site")) as site:
        yield site


@pytest.fixture
def site(shared_site: Site) -> Iterator[Site]:
    """One API for all tests, with nothing in its database but the admin."""
    yield shared_site
    shared_site.empty()


@pytest.fixture
def visit(chromium: Browser, site: Site) -> Iterator[Visit]:
    """A fresh browser window; whatever it did, it reported no error and asked nobody else."""
    context = chromium.new_context(
        locale="en-GB", timezone_id="Europe/Berlin", viewport={"width": 1280, "height": 900}
    )
    visit = Visit(context.new_page(), site, site.origin)
    yield visit
    context.close()
    assert visit.errors == []
    assert visit.strangers == []
