"""import-linter cannot see a provider given as a string; a running process can."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROBE = """
import sys
from dependency_injector import providers
from entrypoints.api.app import create_app
from entrypoints.api.container import ApiContainer
from entrypoints.common.settings import Settings

def build(container):
    for provider in container.providers.values():
        if isinstance(provider, providers.Container):
            build(provider)
        elif not isinstance(provider, providers.Dependency):
            provider()

container = ApiContainer(settings=Settings())
container.check_dependencies()
create_app(container)
build(container)
FORBIDDEN = (
    "adapters.filesystem",
    "adapters.ingestion",
    "adapters.postgres.outcome_statement",
    "adapters.postgres.settlement",
    "adapters.postgres.work_item_execution",
    "adapters.postgres.work_item_purger",
    "adapters.runner_process",
    "application.crawling",
    "application.execution",
    "application.ports.work_item_execution",
    "entrypoints.worker",
    "pyvips",
)
print([name for name in sys.modules if name.startswith(FORBIDDEN)])
"""


def test_the_api_with_all_it_is_made_of_never_loads_what_executes(tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-c", PROBE],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={"PATH": "/usr/bin:/bin", "ANICHRON_HOME": str(tmp_path)},
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip() == "[]"
