"""docs/api.md as the OpenAPI document has it; `make api` writes it."""

import re
from collections.abc import Iterator
from typing import Any

from entrypoints.api.openapi import document

HEADER = """\
# The API

Made from the OpenAPI document by `make api`; do not edit. A test holds this page to it. A running
API serves the document itself at `/api/v1/openapi.json`, with every answer and every limit.

Whoever logs in gets an access token and sends it as `Authorization: Bearer …`. What is below
`/api/v1/admin/` is for admins alone; what is below `/api/v1/me/` is the caller's own. Errors are
problem documents (RFC 9457). Names are in camelCase, instants in ISO 8601 and UTC. What a body or
query holds beyond what is told here is refused. What answers `GET` answers `HEAD`, without a body.
"""


def guide() -> str:
    """The whole page."""
    told = document()
    return "\n".join([HEADER, *_operations(told), *_models(told)]).rstrip() + "\n"


def _operations(told: dict[str, Any]) -> Iterator[str]:
    tag = None
    for path, methods in told["paths"].items():
        for method, operation in methods.items():
            if operation["tags"][0] != tag:
                tag = operation["tags"][0]
                yield f"## {tag[0].upper()}{tag[1:]}\n"
            yield from _operation(f"{method.upper()} {path}", operation)


def _operation(title: str, operation: dict[str, Any]) -> Iterator[str]:
    yield f"### `{title}`\n"
    yield f"{operation['summary']}.{'' if operation['security'] else ' Open to anybody.'}\n"
    for given in operation["parameters"]:
        if given["in"] == "path":
            continue
        note = given.get("description", "")
        shape = _shape(given["schema"])
        yield f"- {given['in']} `{given['name']}`: {shape}{f'; {note}' if note else ''}"
    if "requestBody" in operation:
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        yield f"- body: {_shape(schema)}"
    problems = []
    for status, answer in operation["responses"].items():
        content = answer.get("content", {})
        if "application/problem+json" in content:
            problems.append(status)
            continue
        shown = [_shape(each["schema"]) for each in content.values()]
        yield f"- {status}: {', '.join(shown) or 'nothing'}"
    yield f"- problems: {', '.join(problems)}\n"


def _models(told: dict[str, Any]) -> Iterator[str]:
    yield "## Bodies and answers\n"
    for name, schema in sorted(told["components"]["schemas"].items()):
        yield f'### <a id="{_anchor(name)}"></a>{name}\n'
        if "description" in schema:
            yield f"{_line(schema['description'])}\n"
        if "enum" in schema:
            yield f"One of {', '.join(f'`{each}`' for each in schema['enum'])}.\n"
        if schema.get("properties"):
            yield "| field | value | |\n| --- | --- | --- |"
            needed = schema.get("required", [])
            for field, value in schema["properties"].items():
                note = _line(value.get("description", ""))
                optional = "" if field in needed else "optional"
                notes = "; ".join(filter(None, (optional, note)))
                yield f"| `{field}` | {_shape(value)} | {notes} |"
            yield ""


def _shape(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{_anchor(name)})"
    if "anyOf" in schema:
        return " or ".join(_shape(each) for each in schema["anyOf"])
    if "enum" in schema:
        return ", ".join(f"`{each}`" for each in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    kind: str = schema.get("format") or schema.get("type") or "any"
    if kind == "array":
        return f"list of {_shape(schema['items'])}" if "items" in schema else "list"
    limits = [
        f"{word} {schema[key]:,}"
        for key, word in (
            *(("minLength", "at least"), ("maxLength", "at most")),
            *(("minimum", "from"), ("maximum", "to")),
        )
        if key in schema
    ]
    default = (
        f"default `{schema['default']}`" if schema.get("default") not in (None, [], ()) else ""
    )
    return ", ".join(filter(None, (kind, " ".join(limits), default)))


def _anchor(name: str) -> str:
    return name.lower()


def _line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().replace("|", "\\|")


if __name__ == "__main__":
    print(guide(), end="")
