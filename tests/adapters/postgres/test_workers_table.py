"""The Workers that are there: announced by one role, read by the other."""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import ProgrammingError

from adapters.postgres.worker_directory import PostgresWorkerDirectory
from adapters.postgres.worker_register import PostgresWorkerRegister
from application.ports.worker_directory import SeenWorker
from application.ports.worker_register import WorkerIdentity
from domain.work.kind import WorkKind
from tests.contracts.harness import PostgresPorts

pytestmark = pytest.mark.postgres
WHO = WorkerIdentity(id=uuid4(), name="all@nas", user_id=None, host="nas", version="0.1.0")


@pytest.fixture
def register(worker_engine: Engine) -> PostgresWorkerRegister:
    return PostgresWorkerRegister(engine=worker_engine)


@pytest.fixture
def directory(api_engine: Engine) -> PostgresWorkerDirectory:
    return PostgresWorkerDirectory(engine=api_engine)


def age(engine: Engine, span: str) -> None:
    with engine.begin() as connection:
        connection.execute(
            text(
                f"UPDATE workers SET seen_at = seen_at - interval '{span}',"
                f" started_at = started_at - interval '{span}'"
            ),
        )


def seen(directory: PostgresWorkerDirectory, most: int = 10) -> list[SeenWorker]:
    return list(directory.seen(most).workers)


def test_a_worker_is_seen_with_what_it_runs_and_when_it_was_there_last(
    register: PostgresWorkerRegister, directory: PostgresWorkerDirectory
) -> None:
    item = uuid4()
    register.announce(WHO, None)
    [first] = seen(directory)
    assert (first.identity, first.item_id) == (WHO, None)
    assert first.seen_at - first.started_at < timedelta(seconds=1)
    register.announce(WHO, item)
    [again] = seen(directory)
    assert (again.item_id, again.started_at) == (item, first.started_at)
    assert again.seen_at > first.seen_at
    assert abs(directory.seen(1).server_time - again.seen_at) < timedelta(seconds=5)


def test_the_one_seen_last_comes_first_and_only_so_many(
    register: PostgresWorkerRegister, directory: PostgresWorkerDirectory
) -> None:
    users = replace(WHO, id=uuid4(), name="anna@nas", user_id=uuid4())
    register.announce(WHO, None)
    register.announce(users, None)
    assert [each.identity for each in seen(directory)] == [users, WHO]
    assert [each.identity for each in seen(directory, most=1)] == [users]


def test_a_restarted_worker_replaces_its_predecessor_and_nobody_else(
    register: PostgresWorkerRegister, directory: PostgresWorkerDirectory, engine: Engine
) -> None:
    other = replace(WHO, id=uuid4(), name="anna@nas")
    register.announce(WHO, None)
    register.announce(other, None)
    age(engine, "61 s")
    busy_twin = replace(WHO, id=uuid4())
    register.announce(busy_twin, None)
    age(engine, "10 s")
    restarted = replace(WHO, id=uuid4())
    register.announce(restarted, None)
    assert {each.identity for each in seen(directory)} == {restarted, busy_twin, other}


def test_one_that_stopped_is_seen_to_have_stopped_until_another_of_its_name_comes(
    register: PostgresWorkerRegister, directory: PostgresWorkerDirectory
) -> None:
    other = replace(WHO, id=uuid4(), name="anna@nas")
    for who in (WHO, other):
        register.announce(who, uuid4())
    register.sign_off(WHO)
    stopped, running = seen(directory)
    assert (stopped.identity, stopped.item_id) == (WHO, None)
    assert stopped.stopped_at is not None
    assert stopped.stopped_at == stopped.seen_at > stopped.started_at
    assert (running.identity, running.stopped_at) == (other, None)
    restarted = replace(WHO, id=uuid4())
    register.announce(restarted, None)
    assert {each.identity for each in seen(directory)} == {restarted, other}


def test_whoever_stopped_a_day_ago_is_forgotten_and_whoever_died_then_is_not(
    register: PostgresWorkerRegister, directory: PostgresWorkerDirectory, engine: Engine
) -> None:
    died, stopped, of_late = (replace(WHO, id=uuid4(), name=f"all@{n}") for n in "abc")
    for who in (died, stopped):
        register.announce(who, None)
    register.sign_off(stopped)
    with engine.begin() as connection:
        connection.execute(
            text(
                "UPDATE workers SET seen_at = seen_at - interval '25 h',"
                " stopped_at = stopped_at - interval '25 h'"
            )
        )
    register.announce(of_late, None)
    register.sign_off(of_late)
    register.announce(WHO, None)
    assert {each.identity for each in seen(directory)} == {died, of_late, WHO}


def test_two_of_a_name_that_slept_through_the_same_suspend_keep_their_rows(
    register: PostgresWorkerRegister, directory: PostgresWorkerDirectory, engine: Engine
) -> None:
    twin = replace(WHO, id=uuid4())
    for who in (WHO, twin, WHO, twin):
        register.announce(who, None)
    age(engine, "2 min")
    started = {each.identity: each.started_at for each in seen(directory)}
    for who in (twin, WHO, twin):
        register.announce(who, None)
        assert {each.identity: each.started_at for each in seen(directory)} == started


def test_retention_takes_workers_that_are_long_gone(
    register: PostgresWorkerRegister,
    directory: PostgresWorkerDirectory,
    engine: Engine,
    worker_engine: Engine,
) -> None:
    ports = PostgresPorts(engine=engine, worker=worker_engine)
    register.announce(WHO, None)
    age(engine, "31 days")
    alive = replace(WHO, id=uuid4(), name="anna@nas")
    register.announce(alive, None)
    ports.enqueue(WorkKind.WORK_ITEM_RETENTION)
    purged = ports.purger.purge(
        ports.claimed(), older_than=timedelta(days=30), after=None, most=100
    )
    assert (purged.items, purged.rows) == (0, 1)
    assert [each.identity for each in seen(directory)] == [alive]


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM workers",
        "UPDATE workers SET seen_at = now()",
        "INSERT INTO workers (id, name, host, version) VALUES (gen_random_uuid(), 'x', 'x', 'x')",
    ],
)
def test_the_api_only_reads_them(api_engine: Engine, statement: str) -> None:
    with pytest.raises(ProgrammingError, match="permission denied"), api_engine.begin() as session:
        session.execute(text(statement))
