"""What the API is made of, and what it must not be made of."""

import subprocess
import sys
from pathlib import Path

import pytest

from adapters.postgres.deadline import DeadlineConnection
from adapters.postgres.engine import PostgresAddress
from entrypoints.api.container import ApiContainer
from entrypoints.common.settings import PostgresConnection, Settings

FORBIDDEN = ("application.execution", "entrypoints.worker", "adapters.runner_process", "pyvips")
SCRIPT = """
import sys
from pathlib import Path
from dependency_injector import providers
from entrypoints.api.app import create_app
from entrypoints.api.container import ApiContainer
from entrypoints.common.settings import PostgresConnection, Settings

home = Path(sys.argv[1])
container = ApiContainer(
    settings=Settings(anichron_home=home, postgres_connection=PostgresConnection(host=str(home)))
)
container.check_dependencies()
for provider in container.traverse([providers.ThreadSafeSingleton]):
    provider()
create_app(container)
print("\\n".join(sys.modules))
"""


def test_building_everything_brings_nothing_of_the_workers_in(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[3],
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    loaded = done.stdout.splitlines()
    assert "adapters.postgres.users" in loaded
    assert [name for name in loaded if name.startswith(FORBIDDEN)] == []


@pytest.mark.postgres
def test_the_api_waits_for_an_answer_as_long_as_the_settings_say(
    database: PostgresAddress, tmp_path: Path
) -> None:
    connection = PostgresConnection(
        host=database.host,
        port=database.port,
        dbname=database.dbname,
        user=database.user,
        password=database.password,
        is_pooled=database.is_pooled,
        statement_timeout_seconds=7,
        answer_slack_seconds=2,
    )
    container = ApiContainer(
        settings=Settings(anichron_home=tmp_path, postgres_connection=connection)
    )
    with container.engine().connect() as session:
        under = session.connection.driver_connection
        assert isinstance(under, DeadlineConnection)
        assert under.limit_seconds == 9
    container.engine().dispose()
