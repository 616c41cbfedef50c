"""Break every import contract on purpose and see that very contract fail."""

import configparser
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("domain", "application", "adapters", "entrypoints", "migrations")
API = "entrypoints/api/app.py"
HANDLER = "entrypoints/worker/handlers/token_cleanup.py"
EXECUTION_PORT = "import application.ports.work_item_execution"


@dataclass(frozen=True)
class Violation:
    contract: str
    file: str
    line: str


VIOLATIONS = [
    Violation(*each)
    for each in (
        ("floors", "domain/work/due.py", "import application.payloads"),
        ("floors", "application/use_cases/read_work.py", "import adapters.clock.system_clock"),
        ("floors", "adapters/clock/system_clock.py", "import entrypoints.common.settings"),
        ("domain-is-pure", "domain/work/due.py", "import pydantic"),
        ("domain-is-pure", "domain/library/brake.py", "import PIL"),
        (
            "application-is-technology-free",
            "application/use_cases/read_work.py",
            "import sqlalchemy",
        ),
        ("application-is-technology-free", "application/ports/clock.py", "import pydantic"),
        ("application-floors", "application/ports/clock.py", "import application.payloads"),
        (
            "application-floors",
            "application/use_cases/read_work.py",
            "import application.execution.handlers",
        ),
        (
            "application-floors",
            "application/crawling/spread.py",
            "import application.execution.inbox",
        ),
        ("application-floors", "application/loose_ends.py", "LIMIT = 1"),
        ("no-cycles", "domain/errors.py", "import domain.work.item"),
        (
            "only-enqueue-inserts",
            "application/use_cases/cancel_work.py",
            "import application.ports.work_queue",
        ),
        (
            "only-enqueue-inserts",
            "application/execution/schedule_due_work.py",
            "import application.ports.work_queue",
        ),
        ("only-enqueue-inserts", HANDLER, "import application.ports.work_queue"),
        (
            "only-enqueue-inserts",
            "adapters/postgres/settlement.py",
            "import adapters.postgres.work_queue",
        ),
        ("only-enqueue-inserts", API, "import adapters.postgres.work_queue"),
        (
            "only-cancel-cancels",
            "entrypoints/worker/keeper_container.py",
            "import adapters.postgres.work_item_canceller",
        ),
        (
            "only-cancel-cancels",
            "application/use_cases/enqueue_work.py",
            "import application.ports.work_item_canceller",
        ),
        (
            "only-the-executor-changes-state",
            "entrypoints/api/container.py",
            "import adapters.postgres.work_item_execution",
        ),
        (
            "only-the-executor-changes-state",
            "application/use_cases/cancel_work.py",
            EXECUTION_PORT,
        ),
        (
            "only-the-executor-changes-state",
            "adapters/postgres/work_item_canceller.py",
            "import adapters.postgres.settlement",
        ),
        (
            "only-the-executor-changes-state",
            "adapters/postgres/work_queue.py",
            "import adapters.postgres.outcome_statement",
        ),
        (
            "transitions-are-written-by-their-owners",
            "adapters/postgres/work_queue.py",
            "import adapters.postgres.transition_sql",
        ),
        ("execution-is-the-workers", API, "import application.execution.inbox"),
        (
            "execution-is-the-workers",
            "entrypoints/cli/up.py",
            "import application.execution.inbox",
        ),
        (
            "api-cannot-reach-execution",
            "entrypoints/api/container.py",
            "import adapters.postgres.work_item_execution",
        ),
        (
            "api-cannot-reach-execution",
            "application/use_cases/read_work.py",
            "import application.ports.work_item_purger",
        ),
        (
            "api-cannot-reach-execution",
            API,
            "def hidden() -> None:\n    import entrypoints.worker.main",
        ),
        (
            "handlers-live-in-the-worker",
            "entrypoints/worker/main.py",
            "import entrypoints.worker.handlers.crawl",
        ),
        ("handlers-live-in-the-worker", API, "import entrypoints.worker.handlers.crawl"),
        ("handlers-see-ports-only", HANDLER, EXECUTION_PORT),
        ("handlers-see-ports-only", HANDLER, "import application.ports.work_item_canceller"),
        ("handlers-see-ports-only", HANDLER, "import adapters.ingestion.content_hasher"),
        ("handlers-see-ports-only", HANDLER, "import application.use_cases.enqueue_work"),
        (
            "handlers-are-independent",
            HANDLER,
            "import entrypoints.worker.handlers.crawl",
        ),
        (
            "hosts-are-independent",
            "entrypoints/worker/main.py",
            "import entrypoints.api.problems",
        ),
        ("hosts-are-independent", "entrypoints/api/app.py", "import entrypoints.cli.up"),
        ("hosts-are-independent", "entrypoints/loose_ends.py", "LIMIT = 1"),
        (
            "adapters-are-independent",
            "adapters/ingestion/content_hasher.py",
            "import adapters.filesystem.originals",
        ),
        (
            "only-containers-name-adapters",
            "entrypoints/api/app.py",
            "import adapters.clock.system_clock",
        ),
        (
            "only-containers-name-adapters",
            "entrypoints/worker/main.py",
            "import adapters.clock.system_clock",
        ),
        ("sql-lives-in-postgres", API, "import sqlalchemy"),
        ("sql-lives-in-postgres", "adapters/ingestion/content_hasher.py", "import psycopg"),
        ("monitoring-is-an-adapter", API, "import prometheus_client"),
        (
            "monitoring-is-an-adapter",
            "application/execution/claim_work.py",
            "import opentelemetry.trace",
        ),
        (
            "tables-stay-inside",
            "entrypoints/worker/keeper_container.py",
            "import adapters.postgres.tables",
        ),
        ("injector-only-in-containers", HANDLER, "from dependency_injector import providers"),
        (
            "injector-only-in-containers",
            "application/use_cases/read_work.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import dependency_injector",
        ),
        (
            "migrations-are-frozen",
            "migrations/versions/v0003_work_items.py",
            "import adapters.postgres.tables",
        ),
    )
]


def contracts() -> dict[str, str]:
    """Each contract's id and name."""
    config = configparser.ConfigParser()
    config.read(ROOT / ".importlinter")
    prefix = "importlinter:contract:"
    return {
        section.removeprefix(prefix): config[section]["name"]
        for section in config.sections()
        if section.startswith(prefix)
    }


def lint(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(Path(sys.executable).parent / "lint-imports"), "--no-cache", *arguments],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
        # An installed copy of the tree must not be found instead of this one.
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(root)},
    )


@pytest.fixture
def copied_tree(tmp_path: Path) -> Path:
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    shutil.copy(ROOT / ".importlinter", tmp_path)
    return tmp_path


def test_the_tree_as_it_stands_keeps_every_contract() -> None:
    result = lint(ROOT)
    assert result.returncode == 0, result.stdout


def test_every_contract_has_a_violation() -> None:
    assert {violation.contract for violation in VIOLATIONS} == set(contracts())


@pytest.mark.parametrize("violation", VIOLATIONS, ids=lambda each: f"{each.contract}-{each.file}")
def test_a_violation_breaks_its_contract(violation: Violation, copied_tree: Path) -> None:
    file = copied_tree / violation.file
    with file.open("a") as source:
        source.write(f"\n{violation.line}\n")

    result = lint(copied_tree, "--contract", violation.contract)

    assert result.returncode == 1, result.stdout
    flat = re.sub(r"\s+", " ", result.stdout)
    assert f"{contracts()[violation.contract]} BROKEN" in flat, result.stdout
