"""A port's method says what it promises; a package's __init__ says nothing."""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_method_of_a_port_has_a_docstring() -> None:
    silent = [
        f"{path.name}: {node.name}.{method.name}"
        for path in sorted((ROOT / "application" / "ports").glob("*.py"))
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.ClassDef)
        and any(isinstance(base, ast.Name) and base.id == "Protocol" for base in node.bases)
        for method in node.body
        if isinstance(method, ast.FunctionDef) and ast.get_docstring(method) is None
    ]
    assert silent == []


def test_every_package_file_is_empty() -> None:
    filled = [
        str(path.relative_to(ROOT))
        for package in ("domain", "application", "adapters", "entrypoints", "migrations")
        for path in (ROOT / package).rglob("__init__.py")
        if path.read_text().strip()
    ]
    assert filled == []
