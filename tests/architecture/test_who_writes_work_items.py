"""Who writes the table of work items, read from the source itself: SQL needs no import."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
POSTGRES = "adapters/postgres/"
WRITERS = {
    "insert": {POSTGRES + "work_queue.py"},
    "update": {
        POSTGRES + "claim_statement.py",
        POSTGRES + "outcome_statement.py",
        POSTGRES + "settlement.py",
        POSTGRES + "work_item_canceller.py",
        POSTGRES + "work_item_execution.py",
    },
    "delete": {POSTGRES + "work_item_purger.py"},
}
# The removal of a storage config takes its items along, by functions of the database.
REMOVING_FUNCTIONS = {"close_storage_config", "empty_storage_config"}
TEXTUAL = re.compile(
    r"\b(insert\s+into|update|delete\s+from)\s+(only\s+)?(\w+\.)?work_items\b", re.IGNORECASE
)


def sources() -> list[Path]:
    return [
        path
        for package in ("domain", "application", "adapters", "entrypoints")
        for path in sorted((ROOT / package).rglob("*.py"))
    ]


def writers_of_work_items(verb: str) -> set[str]:
    return {
        str(path.relative_to(ROOT))
        for path in sources()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == verb
        and any(isinstance(each, ast.Name) and each.id == "WORK_ITEMS" for each in node.args)
    }


@pytest.mark.parametrize("verb", WRITERS)
def test_each_kind_of_write_has_its_owner(verb: str) -> None:
    assert writers_of_work_items(verb) == WRITERS[verb]


def texts(tree: ast.AST) -> Iterator[str]:
    """Every string of the code, docstrings left out."""
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in docstrings:
            yield str(node.value)


def test_no_text_of_sql_writes_the_table() -> None:
    written = [
        str(path.relative_to(ROOT))
        for path in sources()
        for string in texts(ast.parse(path.read_text()))
        if TEXTUAL.search(string)
    ]
    assert written == []


def test_the_functions_that_delete_with_a_config_have_one_caller() -> None:
    callers = {
        (str(path.relative_to(ROOT)), node.attr)
        for path in sources()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and node.attr in REMOVING_FUNCTIONS
    }
    expected = {(POSTGRES + "config_removal.py", name) for name in REMOVING_FUNCTIONS}
    assert callers == expected


def test_no_adapter_renames_the_verbs() -> None:
    renamed = [
        (str(path.relative_to(ROOT)), alias.name)
        for path in sources()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name in WRITERS and alias.asname not in {None, alias.name}
    ]
    assert renamed == []


def test_an_allowance_is_written_for_an_admin_and_used_up_by_the_crawl() -> None:
    statement = re.compile(
        r"\b(insert\s+into|update|delete\s+from)\s+missing_allowances\b", re.IGNORECASE
    )
    trees = {str(path.relative_to(ROOT)): ast.parse(path.read_text()) for path in sources()}
    as_text = {name for name, tree in trees.items() if any(map(statement.search, texts(tree)))}
    built = {
        name
        for name, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in WRITERS
        and any(
            isinstance(each, ast.Name) and each.id == "MISSING_ALLOWANCES" for each in node.args
        )
    }
    assert built == {POSTGRES + "missing_allowances.py"}
    assert as_text == {POSTGRES + "library_reconciliation_sql.py"}
