"""docs/adding-a-kind.md, followed to the letter in a copy of the tree."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from adapters.postgres.schema import head_revision
from tests.guide.blocks import blocks_of, put

pytestmark = [pytest.mark.process, pytest.mark.slow]
ROOT = Path(__file__).resolve().parents[2]
COPIED = ("domain", "application", "adapters", "entrypoints", "migrations", "tests", "docs")
FILES = (".importlinter", "pyproject.toml", "requirements.lock")
# Those that the page brings, and those that hold what was added to what is there.
TESTS = (
    "tests/entrypoints/worker/test_folder_census.py",
    "tests/entrypoints/worker/test_proxy_space.py",
    "tests/entrypoints/api/test_folder_census.py",
    "tests/adapters/postgres/test_census_rows.py",
    "tests/application/execution/test_handlers.py",
    "tests/entrypoints/worker/test_start.py",
    "tests/entrypoints/api/test_openapi.py",
    "tests/adapters/postgres/test_roles.py",
    "tests/guide/test_added_kinds_run.py",
)
RUNS = '''
"""The Worker with both kinds, as a person starts it: the census is asked for, the other is due."""

import json
import subprocess
import sys

import pytest

from application.payloads import FolderCensusPayload
from application.use_cases.enqueue_work import EnqueueWork, Request
from domain.work.status import WorkStatus
from tests.process.conftest import stage  # noqa: F401
from tests.process.hosts import Scene, eventually

pytestmark = [pytest.mark.postgres, pytest.mark.process]


def test_both_kinds_run(stage: Scene, tmp_path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "a.JPG").write_bytes(b"x")
    stage.ports.run(
        "UPDATE storage_configs SET root_path = :path WHERE id = :id",
        path=str(tmp_path / "photos"),
        id=(config := stage.ports.add_config()),
    )
    from uuid import uuid4

    request = Request(payload=FolderCensusPayload(storage_config_id=config), scope=config)
    item = EnqueueWork(queue=stage.ports.queue, new_id=uuid4)(request).id
    environment = stage.environment(WORKER__ROOT="/", WORKER__PROXY_PATH=str(tmp_path))
    log = (tmp_path / "log").open("wb")
    worker = subprocess.Popen(
        [sys.executable, "-m", "entrypoints.cli.main", "worker"],
        env=environment, stdout=log, stderr=log,
    )
    try:
        stage.until(item, WorkStatus.SUCCEEDED, 40)
        assert stage.item(item).result == {"files": 1, "extensions": 1}
        eventually(lambda: kinds(stage).get("ProxySpace") == "Succeeded", 40)
    finally:
        worker.terminate()
        assert worker.wait(20) == 0


def kinds(stage: Scene) -> dict[str, str]:
    from sqlalchemy import text

    with stage.ports.engine.connect() as connection:
        return dict(connection.execute(text("SELECT kind, status FROM work_items")).all())
'''


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("tree")
    for name in COPIED:
        shutil.copytree(
            ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__", "*.pyc")
        )
    for name in FILES:
        shutil.copy(ROOT / name, root)
    for block in blocks_of((ROOT / "docs" / "adding-a-kind.md").read_text()):
        put(block, root)
    migration = root / "migrations/versions/v0099_folder_census.py"
    text = migration.read_text()
    assert 'revision = "0099"' in text
    migration.write_text(
        re.sub(r'down_revision = "\d+"', f'down_revision = "{head_revision()}"', text)
    )
    (root / "tests/guide/test_added_kinds_run.py").write_text(RUNS.lstrip())
    return root


def run(tree: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=tree,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
        # An installed copy of the tree must not be found instead of this one.
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(tree), "TESTS_NO_DOCKER": "1"},
    )


@pytest.mark.timeout(300)
def test_the_kinds_of_the_guide_work(tree: Path) -> None:
    unlisted = "not the_page_about_the_api"  # docs/api.md would be made anew
    done = run(tree, "pytest", "-q", "-p", "no:cacheprovider", "-k", unlisted, *TESTS)
    assert done.returncode == 0, done.stdout[-6_000:]


def test_the_tree_with_them_keeps_every_contract(tree: Path) -> None:
    done = contracts(tree)
    assert done.returncode == 0, done.stdout


def contracts(tree: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"],
        cwd=tree,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(tree)},
    )
