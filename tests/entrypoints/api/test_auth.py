"""Log-in, refresh, log-out, and what tokens are worth."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from domain.identity.user import User
from entrypoints.api.container import ApiContainer
from tests.entrypoints.api.client import Client

pytestmark = pytest.mark.postgres


def refresh(client: Client, token: str) -> int:
    return client("POST", "/api/v1/auth/refresh", json={"refreshToken": token}).status


@pytest.mark.parametrize("name", ["root", "ROOT@example.org"])
@pytest.mark.usefixtures("admin")
def test_a_log_in_answers_the_tokens(anonymous: Client, name: str) -> None:
    tokens = anonymous.log_in(name, "root's password")
    assert set(tokens) == {"accessToken", "tokenType", "expiresAt", "refreshToken"}
    assert tokens["tokenType"] == "Bearer"
    assert tokens["expiresAt"].endswith("Z")
    left = datetime.fromisoformat(tokens["expiresAt"]) - datetime.now().astimezone()
    assert timedelta(minutes=14) < left <= timedelta(minutes=15)


@pytest.mark.parametrize(
    "body",
    [
        {"username": "root", "password": "another password"},
        {"username": "nobody", "password": "root's password"},
    ],
)
@pytest.mark.usefixtures("admin")
def test_a_wrong_name_reads_like_a_wrong_password(anonymous: Client, body: dict[str, str]) -> None:
    answer = anonymous("POST", "/api/v1/auth/login", json=body)
    assert answer.status == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.json == {
        "type": "about:blank",
        "title": "Unauthorized",
        "status": 401,
        "detail": "the name or the password is wrong",
        "errors": [],
    }


def test_answers_are_kept_by_no_cache(anonymous: Client) -> None:
    assert anonymous("GET", "/api/v1/healthz").headers["cache-control"] == "no-store"
    assert anonymous("GET", "/nothing").headers["cache-control"] == "no-store"


def test_no_answer_is_taken_for_another_type_than_it_says(anonymous: Client) -> None:
    for path in ("/api/v1/healthz", "/nothing"):
        assert anonymous("GET", path).headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("scheme", ["Basic", "Token", ""])
def test_a_good_token_under_another_scheme_is_no_token(
    client: Client, anonymous: Client, scheme: str
) -> None:
    headers = {"Authorization": f"{scheme} {client.token}".strip()}
    assert anonymous("GET", "/api/v1/admin/users", headers=headers).status == 401


@pytest.mark.usefixtures("admin")
def test_a_refresh_token_is_rotated(anonymous: Client) -> None:
    first = anonymous.log_in("root", "root's password")
    answer = anonymous("POST", "/api/v1/auth/refresh", json={"refreshToken": first["refreshToken"]})
    assert answer.status == 200
    assert answer.json["refreshToken"] != first["refreshToken"]
    client = replace(anonymous, token=answer.json["accessToken"])
    assert client("GET", "/api/v1/admin/users").status == 200
    assert refresh(anonymous, answer.json["refreshToken"]) == 200


@pytest.mark.usefixtures("admin")
def test_a_used_refresh_token_ends_its_family(anonymous: Client) -> None:
    first = anonymous.log_in("root", "root's password")["refreshToken"]
    second = anonymous("POST", "/api/v1/auth/refresh", json={"refreshToken": first}).json
    assert refresh(anonymous, first) == 401
    assert refresh(anonymous, second["refreshToken"]) == 401


@pytest.mark.usefixtures("admin")
def test_a_log_out_ends_the_log_in_and_may_be_repeated(anonymous: Client) -> None:
    token = anonymous.log_in("root", "root's password")["refreshToken"]
    for _ in range(2):
        answer = anonymous("POST", "/api/v1/auth/logout", json={"refreshToken": token})
        assert answer.status == 204
    assert refresh(anonymous, token) == 401


ADMIN_ROUTES = [
    ("GET", "/api/v1/admin/users"),
    ("POST", "/api/v1/admin/users"),
    ("PATCH", "/api/v1/admin/users/1"),
    ("DELETE", "/api/v1/admin/users/1"),
    ("GET", "/api/v1/admin/storage-configs"),
    ("POST", "/api/v1/admin/storage-configs"),
    ("PATCH", "/api/v1/admin/storage-configs/1"),
    ("DELETE", "/api/v1/admin/storage-configs/1"),
    ("GET", "/api/v1/admin/work-items"),
    ("GET", "/api/v1/admin/work-items/1"),
    ("POST", "/api/v1/admin/work-items/Crawl"),
    ("POST", "/api/v1/admin/work-items/1/cancel"),
    ("GET", "/api/v1/admin/work-items/events"),
    ("GET", "//api/v1/admin/users"),
    ("PUT", "/api/v1/admin/users"),
]


@pytest.mark.parametrize(("method", "path"), ADMIN_ROUTES)
@pytest.mark.parametrize(
    "header", [None, "Bearer", "Bearer nonsense", "Basic cm9vdDpyb290", "Bearer é"]
)
def test_no_admin_route_answers_without_a_valid_token(
    anonymous: Client, method: str, path: str, header: str | None
) -> None:
    headers = {} if header is None else {"Authorization": header}
    answer = anonymous(method, path, headers=headers)
    assert answer.status == 401
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize(("method", "path"), ADMIN_ROUTES)
def test_no_admin_route_answers_without_the_role(
    client: Client, anonymous: Client, method: str, path: str
) -> None:
    body = {"name": "bob", "email": "bob@example.org", "password": "bob's password"}
    assert client("POST", "/api/v1/admin/users", json=body).status == 201
    token = anonymous.log_in("bob", "bob's password")["accessToken"]
    answer = replace(anonymous, token=token)(method, path)
    assert (answer.status, answer.json["detail"]) == (403, "this needs the admin role")


def add_admin(client: Client, name: str) -> str:
    body = {
        "name": name,
        "email": f"{name}@example.org",
        "password": "a good password",
        "isAdmin": True,
    }
    found: str = client("POST", "/api/v1/admin/users", json=body).json["id"]
    return found


@pytest.mark.parametrize(
    ("change", "expected"), [({"isDisabled": True}, 401), ({"isAdmin": False}, 403)]
)
def test_disabling_or_demoting_acts_with_the_next_request(
    client: Client, anonymous: Client, change: dict[str, bool], expected: int
) -> None:
    bob = add_admin(client, "bob")
    as_bob = replace(anonymous, token=anonymous.log_in("bob", "a good password")["accessToken"])
    assert as_bob("GET", "/api/v1/admin/users").status == 200
    assert client("PATCH", f"/api/v1/admin/users/{bob}", json=change).status == 200
    assert as_bob("GET", "/api/v1/admin/users").status == expected


def test_a_token_dies_with_its_user(client: Client, anonymous: Client) -> None:
    bob = add_admin(client, "bob")
    tokens = anonymous.log_in("bob", "a good password")
    assert client("DELETE", f"/api/v1/admin/users/{bob}").status == 204
    as_bob = replace(anonymous, token=tokens["accessToken"])
    assert as_bob("GET", "/api/v1/admin/users").status == 401
    assert refresh(anonymous, tokens["refreshToken"]) == 401


def test_an_expired_token_is_worth_nothing(
    container: ApiContainer, anonymous: Client, admin: User
) -> None:
    from application.ports.access_tokens import AccessClaims

    now = container.clock().now()
    token = container.access_tokens().sign(
        AccessClaims(user_id=admin.id, issued_at=now, expires_at=now - timedelta(seconds=1))
    )
    answer = replace(anonymous, token=token)("GET", "/api/v1/admin/users")
    assert (answer.status, answer.json["detail"]) == (401, "the access token has expired")


def test_what_is_neither_public_nor_admin_needs_a_token(anonymous: Client) -> None:
    assert anonymous("GET", "/api/v1/unknown").status == 404
