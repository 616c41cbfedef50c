"""The files of the admin's page as they are served."""

import re
from importlib.resources import files
from pathlib import Path

import pytest
from falcon.testing import TestClient

from adapters.postgres.engine import PostgresAddress
from entrypoints.api.app import create_app
from entrypoints.api.container import ApiContainer
from tests.entrypoints.api.conftest import settings_for

PAGE = Path(str(files("entrypoints.api.admin_page")))
NAMES = sorted(
    path.name for path in PAGE.iterdir() if path.suffix in {".html", ".css", ".js", ".svg"}
)


@pytest.fixture
def served(tmp_path: Path) -> TestClient:
    """Without a database: the page is there all the same, and says what is wrong."""
    address = PostgresAddress(host=str(tmp_path), port=5432, dbname="none", user="none")
    return TestClient(create_app(ApiContainer(settings=settings_for(address, tmp_path))))


def test_the_page_asks_nobody_else_and_runs_nothing_inline(served: TestClient) -> None:
    answer = served.simulate_get("/admin/")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    policy = dict(
        part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";")
    )
    assert policy == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "connect-src": "'self'",
        "img-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("name", NAMES)
def test_each_file_is_served_as_it_is(served: TestClient, name: str) -> None:
    answer = served.simulate_get(f"/admin/{name}")
    assert answer.content == (PAGE / name).read_bytes()
    kinds = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg"}
    assert answer.headers["content-type"].startswith(kinds[name.rpartition(".")[2]])
    assert answer.headers["cache-control"] == "no-cache"
    again = served.simulate_get(f"/admin/{name}", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_whatever_the_files_name_is_there() -> None:
    for name in NAMES:
        text = (PAGE / name).read_text()
        for named in re.findall(r'(?:from|href=|src=|import\()\s*"(?:\./)?([\w-]+\.\w+)"', text):
            assert named in NAMES, f"{name} names {named}"
        assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
        assert "https://" not in text


@pytest.mark.parametrize("name", ["__init__.py", "other.js", "..%2fcontainer.py", "%2e%2e/x.js"])
def test_nothing_else_is(served: TestClient, name: str) -> None:
    assert served.simulate_get(f"/admin/{name}").status_code == 404


@pytest.mark.parametrize("typed", ["/", "/admin"])
def test_addresses_that_people_type_lead_there(served: TestClient, typed: str) -> None:
    answer = served.simulate_get(typed)
    assert (answer.status_code, answer.headers["location"]) == (302, "/admin/")
