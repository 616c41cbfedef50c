"""What the API is made of, and what it must not be made of."""

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from adapters.postgres.deadline import DeadlineConnection
from adapters.postgres.engine import PostgresAddress
from adapters.postgres.log_in_attempts import PostgresLogInAttempts
from domain.identity.log_in_throttle import Rule, ThrottleRules
from entrypoints.api.container import ApiContainer
from entrypoints.common.settings import LogInSettings, PostgresConnection, Settings

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


def throttle_rules(home: Path, given: LogInSettings) -> ThrottleRules:
    connection = PostgresConnection(host=str(home))
    settings = Settings(anichron_home=home, postgres_connection=connection, log_in=given)
    attempts = ApiContainer(settings=settings).log_in().attempts
    assert isinstance(attempts, PostgresLogInAttempts)
    return attempts.rules


def test_each_setting_of_log_ins_reaches_its_rule_in_its_unit(tmp_path: Path) -> None:
    given = LogInSettings(
        pair_free_failures=3,
        address_free_failures=4,
        account_free_failures=6,
        first_wait_seconds=7,
        longest_wait_seconds=800,
        account_longest_wait_seconds=90,
        memory_hours=10,
        known_days=11,
    )
    first, memory = timedelta(seconds=7), timedelta(hours=10)
    long, short = timedelta(seconds=800), timedelta(seconds=90)
    assert throttle_rules(tmp_path, given) == ThrottleRules(
        pair=Rule(free=3, first=first, longest=long, memory=memory),
        address=Rule(free=4, first=first, longest=long, memory=memory),
        account=Rule(free=6, first=first, longest=short, memory=memory),
        known_for=timedelta(days=11),
    )


def test_unless_set_log_ins_wait_as_is_documented(tmp_path: Path) -> None:
    """As ADR 0019 says."""
    second, day = timedelta(seconds=1), timedelta(days=1)
    assert throttle_rules(tmp_path, LogInSettings()) == ThrottleRules(
        pair=Rule(free=5, first=second, longest=900 * second, memory=day),
        address=Rule(free=50, first=second, longest=900 * second, memory=day),
        account=Rule(free=20, first=second, longest=60 * second, memory=day),
        known_for=90 * day,
    )


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
