"""A client that holds every answer to the OpenAPI document."""

import re
from dataclasses import dataclass, field
from typing import Any

import falcon.testing
from jsonschema import Draft202012Validator

from entrypoints.api.openapi import document


@dataclass(frozen=True, kw_only=True)
class Answer:
    status: int
    headers: dict[str, str]
    json: Any
    content: bytes = b""


@dataclass(frozen=True)
class Client:
    falcon: falcon.testing.TestClient
    token: str | None = None
    document: dict[str, Any] = field(default_factory=document)

    def __call__(self, method: str, path: str, **options: Any) -> Answer:
        headers = dict(options.pop("headers", {}))
        if self.token is not None:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        result = self.falcon.simulate_request(method, path, headers=headers, **options)
        headers = {name.lower(): value for name, value in result.headers.items()}
        is_json = "json" in headers.get("content-type", "")
        answer = Answer(
            status=result.status_code,
            headers=headers,
            json=result.json if result.content and is_json else None,
            content=result.content,
        )
        self._check(method, path.partition("?")[0], answer)
        return answer

    def log_in(self, name: str, password: str) -> dict[str, str]:
        body = {"username": name, "password": password}
        answer = self("POST", "/api/v1/auth/login", json=body)
        assert answer.status == 200, answer
        tokens: dict[str, str] = answer.json
        return tokens

    def _check(self, method: str, path: str, answer: Answer) -> None:
        if method == "HEAD":
            assert answer.content == b""
            return
        schema = {"$ref": "#/components/schemas/Problem", **self._components()}
        operation = self._operation(method, path)
        if operation is not None:
            described = operation["responses"][str(answer.status)]
            if "content" not in described:
                assert answer.content == b""
                return
            ((media_type, content),) = described["content"].items()
            assert answer.headers["content-type"] == media_type
            if media_type == "image/jpeg":
                assert answer.content.startswith(b"\xff\xd8\xff")
                return
            schema = {**content["schema"], **self._components()}
        Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER).validate(
            answer.json
        )

    def _components(self) -> dict[str, Any]:
        return {"components": self.document["components"]}

    def _operation(self, method: str, path: str) -> dict[str, Any] | None:
        for template, operations in self.document["paths"].items():
            if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path):
                found: dict[str, Any] | None = operations.get(method.lower())
                return found
        return None
