"""The document and the application tell the same."""

from pathlib import Path

import pytest
from falcon import inspect
from falcon.testing import TestClient
from jsonschema import Draft202012Validator

from entrypoints.api.app import create_app
from entrypoints.api.container import ApiContainer
from entrypoints.api.openapi import document
from entrypoints.api.router import HeadingRouter
from tests.api_guide import guide
from tests.entrypoints.api.client import Client

pytestmark = pytest.mark.postgres
inspect.register_router(HeadingRouter)(inspect.inspect_compiled_router)


def test_every_route_is_in_the_document_and_the_reverse(container: ApiContainer) -> None:
    routes = {
        (method.method.lower(), route.path)
        for route in inspect.inspect_routes(create_app(container))
        for method in route.methods
        if not method.internal and route.path.startswith("/api/")
    }
    described = {
        (method, path) for path, operations in document()["paths"].items() for method in operations
    }
    # HEAD goes without saying wherever there is GET.
    heads = {("head", path) for method, path in described if method == "get"}
    assert routes == described | heads


def test_the_served_document_is_the_built_one(anonymous: Client) -> None:
    assert anonymous("GET", "/api/v1/openapi.json").json == document()


def test_every_schema_is_a_schema_and_every_reference_leads_somewhere() -> None:
    whole = document()
    schemas = whole["components"]["schemas"]
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
    for reference in references(whole):
        assert reference.removeprefix("#/components/schemas/") in schemas


def test_operation_ids_are_unique() -> None:
    names = [
        operation["operationId"]
        for operations in document()["paths"].values()
        for operation in operations.values()
    ]
    assert len(names) == len(set(names))


def test_every_operation_below_admin_and_me_asks_for_a_token(container: ApiContainer) -> None:
    client = TestClient(create_app(container))
    for path, operations in document()["paths"].items():
        for method, operation in operations.items():
            guarded = bool(operation["security"])
            assert guarded == path.startswith(("/api/v1/admin/", "/api/v1/me/"))
            needed = {"401", "403"} if path.startswith("/api/v1/admin/") else {"401"}
            assert not guarded or needed.issubset(operation["responses"])
            refused = client.simulate_request(method.upper(), path).status_code == 401
            assert refused == guarded


def references(node: object) -> list[str]:
    match node:
        case {"$ref": str(reference)}:
            return [reference]
        case dict():
            return [found for value in node.values() for found in references(value)]
        case list():
            return [found for value in node for found in references(value)]
        case _:
            return []


def test_the_page_about_the_api_is_what_the_document_says() -> None:
    page = Path(__file__).parents[3] / "docs" / "api.md"
    assert page.read_text() == guide(), "run `make api`"
