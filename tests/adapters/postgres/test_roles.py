"""The database's walls: what each host's role may not do, tried as that role.

That the roles suffice for what hosts do is shown elsewhere: the contract suite and the crawl's
tests run under them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID, uuid4

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import ProgrammingError

from adapters.postgres.connections import sqlstate_of
from domain.work.status import WorkStatus
from tests.contracts.harness import PostgresPorts

pytestmark = pytest.mark.postgres

INSUFFICIENT_PRIVILEGE = "42501"


@pytest.fixture
def ports(engine: Engine, api_engine: Engine, worker_engine: Engine) -> PostgresPorts:
    return PostgresPorts(engine=engine, api=api_engine, worker=worker_engine)


@contextmanager
def refused() -> Iterator[None]:
    with pytest.raises(ProgrammingError) as caught:
        yield
    assert sqlstate_of(caught.value) == INSUFFICIENT_PRIVILEGE


def attempt(engine: Engine, statement: str, **parameters: object) -> int:
    with engine.begin() as connection:
        return connection.execute(text(statement), parameters).rowcount


QUEUED, RUNNING, FINISHED = "Queued", "Running", "Succeeded"


def item_in(ports: PostgresPorts, status: str) -> UUID:
    item_id = ports.enqueue()
    if status != QUEUED:
        ports.run(
            "UPDATE work_items SET status = 'Running', attempt = 1,"
            " lease_until = clock_timestamp() + interval '60 s' WHERE id = :id",
            id=item_id,
        )
    if status == FINISHED:
        ports.run(
            "UPDATE work_items SET status = 'Succeeded', lease_until = NULL,"
            " finished_at = clock_timestamp() WHERE id = :id",
            id=item_id,
        )
    return item_id


CANCEL_NOW = "status = 'Cancelled', finished_at = clock_timestamp()"
LATER = "updated_at = greatest(clock_timestamp(), updated_at + interval '1 microsecond')"
ASK = "cancel_requested_at = clock_timestamp()"


@pytest.mark.parametrize(
    ("status", "change"),
    [
        (QUEUED, f"{CANCEL_NOW}, {LATER}"),
        (RUNNING, f"{ASK}, {LATER}"),
    ],
)
def test_the_api_may_cancel(
    ports: PostgresPorts, api_engine: Engine, status: str, change: str
) -> None:
    item_id = item_in(ports, status)
    assert attempt(api_engine, f"UPDATE work_items SET {change} WHERE id = :id", id=item_id) == 1


@pytest.mark.parametrize(
    ("status", "change"),
    [
        # claim, heartbeat, outcome, release, recovery
        (QUEUED, "status = 'Running', lease_until = clock_timestamp(), attempt = 1"),
        (QUEUED, f"status = 'Running', {LATER}"),
        (RUNNING, "lease_until = clock_timestamp() + interval '1 h'"),
        (RUNNING, "attempt = attempt + 1"),
        (RUNNING, f"status = 'Succeeded', finished_at = clock_timestamp(), {LATER}"),
        (RUNNING, f"status = 'Failed', finished_at = clock_timestamp(), {LATER}"),
        (RUNNING, f"status = 'Cancelled', finished_at = clock_timestamp(), {LATER}"),
        (RUNNING, f"status = 'Queued', {LATER}"),
        (RUNNING, "result = '{}'"),
        (RUNNING, "progress_note = 'x'"),
        (QUEUED, "payload = '{}'"),
        (QUEUED, "kind = 'x'"),
        (QUEUED, "requested_at = '2000-01-01'"),
        (QUEUED, "storage_config_id = NULL"),
        # outcomes without a run
        (QUEUED, f"status = 'Succeeded', finished_at = clock_timestamp(), {LATER}"),
        (QUEUED, f"status = 'Failed', finished_at = clock_timestamp(), {LATER}"),
        # forged instants
        (QUEUED, f"status = 'Cancelled', finished_at = '2000-01-01', {LATER}"),
        (QUEUED, f"status = 'Cancelled', finished_at = '2100-01-01', {LATER}"),
        (QUEUED, f"{CANCEL_NOW}, updated_at = '2100-01-01'"),
        (QUEUED, f"{CANCEL_NOW}"),
        (QUEUED, LATER),
        (RUNNING, f"cancel_requested_at = '2000-01-01', {LATER}"),
        (RUNNING, f"{ASK}, updated_at = '2100-01-01'"),
        (RUNNING, LATER),
        # what is final
        (FINISHED, f"status = 'Queued', finished_at = NULL, {LATER}"),
        (FINISHED, f"{CANCEL_NOW}, {LATER}"),
        (FINISHED, f"{ASK}, {LATER}"),
    ],
)  # fmt: skip
def test_the_api_may_change_nothing_else_of_an_item(
    ports: PostgresPorts, api_engine: Engine, status: str, change: str
) -> None:
    item_id = item_in(ports, status)
    before = ports.item(item_id)
    with refused():
        attempt(api_engine, f"UPDATE work_items SET {change} WHERE id = :id", id=item_id)
    assert ports.item(item_id) == before


def test_the_api_cannot_take_a_request_to_cancel_back(
    ports: PostgresPorts, api_engine: Engine
) -> None:
    item_id = item_in(ports, RUNNING)
    ports.canceller.cancel(item_id)
    for change in (f"cancel_requested_at = NULL, {LATER}", f"{ASK}, {LATER}"):
        with refused():
            attempt(api_engine, f"UPDATE work_items SET {change} WHERE id = :id", id=item_id)


@pytest.mark.parametrize(
    "columns",
    [
        {"status": "'Queued'"},
        {"status": "'Succeeded'", "finished_at": "clock_timestamp()"},
        {"attempt": "5"},
        {"stalls": "2"},
        {"requested_at": "'2000-01-01'"},
        {"lease_until": "clock_timestamp()"},
        {"result": "'{}'"},
    ],
)
def test_the_api_may_insert_queued_items_only(api_engine: Engine, columns: dict[str, str]) -> None:
    insert = (
        "INSERT INTO work_items (id, kind, payload{}) VALUES (gen_random_uuid(), 'x', '{{}}'{})"
    )
    assert attempt(api_engine, insert.format("", "")) == 1
    names, values = ("".join(f", {each}" for each in part) for part in (columns, columns.values()))
    with refused():
        attempt(api_engine, insert.format(names, values))


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM work_items",
        "TRUNCATE work_items",
        "DELETE FROM work_item_removals",
        "INSERT INTO work_item_removals VALUES (gen_random_uuid(), now())",
        "DELETE FROM media_assets",
        "UPDATE media_assets SET deleted_at = now()",
        "INSERT INTO media_assets (id) VALUES (gen_random_uuid())",
        "UPDATE source_files SET missing_at = now()",
        "DELETE FROM source_files",
        "DELETE FROM asset_metadata",
        "DELETE FROM proxy_files",
        "DELETE FROM crawl_failures",
        "DELETE FROM crawl_in_flight",
        "ALTER TABLE work_items DISABLE TRIGGER ALL",
        "DROP TRIGGER work_items_only_cancel ON work_items",
        "CREATE TABLE mine (id int)",
        "UPDATE alembic_version SET version_num = '0001'",
        "SELECT grant_roles()",
        "SET ROLE anichron_worker",
        "SET session_replication_role = replica",
    ],
)
def test_the_api_may_touch_nothing_of_workers(api_engine: Engine, statement: str) -> None:
    with refused():
        attempt(api_engine, statement)


def test_the_api_may_empty_a_config_only_while_it_removes_it(
    ports: PostgresPorts, api_engine: Engine
) -> None:
    kept, going = ports.add_config(), ports.add_config()
    items = [ports.enqueue("Crawl", scope=config) for config in (kept, going)]
    for unknown_or_kept in (kept, uuid4()):
        with refused():
            attempt(api_engine, "SELECT empty_storage_config(:id, 100)", id=unknown_or_kept)
    attempt(api_engine, "SELECT close_storage_config(:id)", id=going)
    attempt(api_engine, "SELECT empty_storage_config(:id, 100)", id=going)
    assert ports.item(items[0]).status is WorkStatus.QUEUED
    left = "SELECT count(*) FROM work_items WHERE storage_config_id = :id"
    with api_engine.connect() as connection:
        assert connection.execute(text(left), {"id": going}).scalar() == 0


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT password_hash FROM users",
        "SELECT * FROM users",
        "UPDATE users SET is_admin = true",
        "INSERT INTO users (id, name, email) VALUES (gen_random_uuid(), 'x', 'x')",
        "DELETE FROM users",
        "SELECT token_hash FROM refresh_tokens",
        "UPDATE refresh_tokens SET expires_at = now() + interval '1 y'",
        "INSERT INTO refresh_tokens (id) VALUES (gen_random_uuid())",
        "UPDATE storage_configs SET root_path = '/'",
        "UPDATE storage_configs SET is_active = true",
        "DELETE FROM storage_configs",
        "INSERT INTO storage_configs (id) VALUES (gen_random_uuid())",
        "INSERT INTO missing_allowances (storage_config_id) VALUES (gen_random_uuid())",
        "UPDATE missing_allowances SET allowed_at = now()",
        "SELECT * FROM log_in_failures",
        "DELETE FROM log_in_failures",
        "UPDATE log_in_failures SET failures = 0",
        "INSERT INTO log_in_failures VALUES ('pair', sha256(''), 1, now())",
        "SELECT * FROM log_in_addresses",
        "DELETE FROM log_in_addresses",
        "UPDATE log_in_addresses SET last_success_at = now()",
        "INSERT INTO log_in_addresses VALUES (gen_random_uuid(), 'x', now())",
        "SELECT close_storage_config(gen_random_uuid())",
        "SELECT empty_storage_config(gen_random_uuid(), 1)",
        "TRUNCATE work_items",
        "ALTER TABLE work_items DISABLE TRIGGER ALL",
        "CREATE TABLE mine (id int)",
        "SELECT grant_roles()",
        "SET ROLE anichron_api",
    ],
)
def test_a_worker_may_touch_nothing_of_people_and_their_folders(
    worker_engine: Engine, statement: str
) -> None:
    with refused():
        attempt(worker_engine, statement)


def test_a_server_that_does_not_allow_roles_is_told_so(engine: Engine) -> None:
    """The owner of a database who may make no roles, on a server where the roles are missing."""
    with engine.connect() as connection:
        connection.execute(text("SET ROLE anichron_api"))
        connection.execute(text("RESET ROLE"))
        owner = f"owner_{uuid4().hex[:8]}"
        connection.execute(text(f"CREATE ROLE {owner}"))
        definition: str = connection.execute(
            text("SELECT pg_get_functiondef('grant_roles'::regproc)")
        ).scalar_one()
        renamed = definition.replace("anichron_", f"missing_{uuid4().hex[:6]}_")
        connection.execute(text(renamed))
        connection.execute(text(f"GRANT EXECUTE ON FUNCTION grant_roles() TO {owner}"))
        connection.execute(text(f"SET ROLE {owner}"))
        answer: str = connection.execute(text("SELECT grant_roles()")).scalar_one()
        connection.rollback()
    assert answer.startswith("role missing_")
    assert answer.endswith("is missing, and this role may not make it")


def test_granting_again_changes_nothing(engine: Engine) -> None:
    for _ in range(2):
        with engine.begin() as connection:
            assert connection.execute(text("SELECT grant_roles()")).scalar() is None


def test_no_function_that_runs_as_its_owner_is_everybodys(engine: Engine) -> None:
    with engine.connect() as connection:
        found = connection.execute(
            text(
                "SELECT p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace"
                " CROSS JOIN LATERAL aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a"
                " WHERE p.prosecdef AND n.nspname = current_schema() AND a.grantee = 0"
            )
        ).scalars()
        assert list(found) == []


TAKE_OVER = """
CREATE TEMP TABLE bait (id uuid, updated_at timestamptz, finished_at timestamptz);
CREATE TEMP TABLE work_item_removals (id uuid PRIMARY KEY, removed_at timestamptz);
CREATE TRIGGER hung AFTER DELETE ON bait FOR EACH ROW EXECUTE FUNCTION note_work_item_removal();
"""


def test_a_role_hangs_nobody_elses_function_on_a_table_of_its_own(
    api_engine: Engine, worker_engine: Engine
) -> None:
    for engine in (api_engine, worker_engine):
        with refused():
            attempt(engine, TAKE_OVER)
