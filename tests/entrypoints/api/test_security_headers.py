"""What answers tell browsers and caches. What gunicorn itself answers: test_hostile_clients.py."""

from pathlib import Path

import falcon.asgi
import pytest
from dependency_injector import providers
from falcon.testing import TestClient

from adapters.postgres.engine import PostgresAddress
from entrypoints.api.app import create_app
from entrypoints.api.container import ApiContainer
from entrypoints.api.security_headers import SecurityHeaders
from tests.entrypoints.api.broken import Broken
from tests.entrypoints.api.client import Answer, Client
from tests.entrypoints.api.conftest import settings_for

LOG_IN = "/api/v1/auth/login"
JSON = {"Content-Type": "application/json"}


@pytest.fixture
def nowhere(tmp_path: Path) -> Client:
    """The API without a database, and with a use case that breaks."""
    address = PostgresAddress(host=str(tmp_path), port=5432, dbname="none", user="none")
    container = ApiContainer(settings=settings_for(address, tmp_path))
    container.log_out.override(providers.Object(Broken()))
    return Client(TestClient(create_app(container)))


def assert_headers(answer: Answer) -> None:
    expected = {
        "x-content-type-options": "nosniff",
        "content-security-policy": (
            "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        "cross-origin-resource-policy": "same-origin",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
        "server": "Anichron",
    }
    assert {name: answer.headers.get(name) for name in expected} == expected
    assert not [name for name in answer.headers if name.startswith("access-control-")]
    assert "x-powered-by" not in answer.headers


def test_every_answer_has_them(nowhere: Client) -> None:
    answers = {
        200: nowhere("GET", "/api/v1/openapi.json"),
        400: nowhere("POST", LOG_IN, body="{", headers=JSON),
        401: nowhere("GET", "/api/v1/admin/users"),
        404: nowhere("GET", "/nothing"),
        405: nowhere("DELETE", LOG_IN),
        413: nowhere("POST", LOG_IN, body=b" " * (64 * 1024 + 1), headers=JSON),
        415: nowhere("POST", LOG_IN, body="{}", headers={"Content-Type": "text/plain"}),
        500: nowhere("POST", "/api/v1/auth/logout", json={"refreshToken": "x"}),
        503: nowhere("GET", "/api/v1/readyz"),
    }
    for status, answer in answers.items():
        assert answer.status == status
        assert_headers(answer)


def test_no_other_site_is_allowed_to_ask(nowhere: Client) -> None:
    headers = {
        "Origin": "https://example.org",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization, x-forwarded-for",
    }
    answer = nowhere.falcon.simulate_options(LOG_IN, headers=headers)
    assert not [name for name in answer.headers if name.lower().startswith("access-control-")]


def test_a_page_may_have_a_policy_of_its_own() -> None:
    class Page:
        async def on_get(self, _: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
            resp.set_header("Content-Security-Policy", "default-src 'self'")

    app: falcon.asgi.App = falcon.asgi.App()  # type: ignore[type-arg]
    app.add_middleware(SecurityHeaders())
    app.add_route("/admin/", Page())
    answer = TestClient(app).simulate_get("/admin/")
    assert answer.headers["content-security-policy"] == "default-src 'self'"
    assert answer.headers["x-content-type-options"] == "nosniff"
