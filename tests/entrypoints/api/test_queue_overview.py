"""Counts, schedules and Workers over HTTP."""

from uuid import uuid4

import pytest
from sqlalchemy import Engine

from adapters.postgres.worker_register import PostgresWorkerRegister
from application.ports.worker_register import WorkerIdentity
from domain.work.kind import WorkKind
from domain.work.outcome import Succeeded
from domain.work.progress import NO_PROGRESS
from tests.contracts.harness import PostgresPorts
from tests.entrypoints.api.client import Client

pytestmark = pytest.mark.postgres
ITEMS = "/api/v1/admin/work-items"
COUNTS = f"{ITEMS}/counts"


@pytest.fixture
def work(engine: Engine) -> PostgresPorts:
    return PostgresPorts(engine=engine)


def test_counts_follow_the_filter(client: Client, work: PostgresPorts) -> None:
    config = work.add_config()
    work.enqueue(WorkKind.CRAWL, scope=config)
    work.enqueue(WorkKind.TOKEN_CLEANUP)

    def counted(query: str) -> list[tuple[str, str, int, bool]]:
        answer = client("GET", f"{COUNTS}?{query}")
        assert answer.status == 200
        return [
            (each["kind"], each["status"], each["count"], each["isCapped"])
            for each in answer.json["counts"]
        ]

    crawl, cleanup = ("Crawl", "Queued", 1, False), ("TokenCleanup", "Queued", 1, False)
    assert counted("") == [crawl, cleanup]
    assert counted(f"scope={config}") == [crawl]
    assert counted("scope=none") == [cleanup]
    assert counted(f"scope=none&scope={config}&kind=Crawl") == [crawl]
    assert counted("status=Running") == []


def test_the_list_filters_on_scopes(client: Client, work: PostgresPorts) -> None:
    config = work.add_config()
    mine = work.enqueue(WorkKind.CRAWL, scope=config)
    unscoped = work.enqueue()

    def listed(query: str) -> list[str]:
        return [item["id"] for item in client("GET", f"{ITEMS}?{query}").json["items"]]

    assert listed(f"scope={config}") == [str(mine)]
    assert listed("scope=none") == [str(unscoped)]
    assert listed(f"scope={uuid4()}") == []


@pytest.mark.parametrize("path", [ITEMS, COUNTS])
@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("scope=garden", "scope"),
        ("scope=", "scope"),
        ("&".join(["scope=none"] * 21), "scope"),
        ("kind=Nothing", "kind"),
        ("odd=1", "odd"),
    ],
)
def test_a_bad_filter_is_named(client: Client, path: str, query: str, parameter: str) -> None:
    answer = client("GET", f"{path}?{query}")
    assert answer.status == 400
    assert [each["field"] for each in answer.json["errors"]] == [parameter]


def test_schedules_tell_the_last_run_and_when_the_next_is_due(
    client: Client, work: PostgresPorts
) -> None:
    config = work.add_config()
    item_id = work.enqueue(key="token-cleanup")
    work.execution.finish(work.claimed(), Succeeded({}), NO_PROGRESS)
    answer = client("GET", "/api/v1/admin/schedules")
    assert answer.status == 200
    schedules = {(each["kind"], each["storageConfigId"]): each for each in answer.json["items"]}
    assert set(schedules) == {
        ("TokenCleanup", None),
        ("WorkItemRetention", None),
        ("Crawl", str(config)),
    }
    cleanup = schedules["TokenCleanup", None]
    assert cleanup["lastRun"]["workItemId"] == str(item_id)
    assert cleanup["lastRun"]["status"] == "Succeeded"
    assert (cleanup["isOverdue"], cleanup["currentRun"]) == (False, None)
    assert cleanup["intervalSeconds"] == 24 * 3_600
    assert cleanup["nextDueAt"] > answer.json["serverTime"]
    crawl = schedules["Crawl", str(config)]
    assert (crawl["lastRun"], crawl["isOverdue"]) == (None, True)
    assert crawl["intervalSeconds"] == 4 * 3_600


def test_workers_are_told_with_their_last_sign_of_life(
    client: Client, worker_engine: Engine
) -> None:
    who = WorkerIdentity(id=uuid4(), name="anna@nas", user_id=uuid4(), host="nas", version="0.1.0")
    item_id = uuid4()
    register = PostgresWorkerRegister(engine=worker_engine)
    register.announce(who, item_id)
    answer = client("GET", "/api/v1/admin/workers")
    assert answer.status == 200
    [worker] = answer.json["items"]
    assert {name: worker[name] for name in worker if not name.endswith("At")} == {
        "id": str(who.id),
        "name": "anna@nas",
        "userId": str(who.user_id),
        "host": "nas",
        "version": "0.1.0",
        "workItemId": str(item_id),
    }
    assert worker["startedAt"] <= worker["seenAt"] <= answer.json["serverTime"]
    assert worker["stoppedAt"] is None
    cadence = {"pollSeconds": 2, "heartbeatSeconds": 2, "leaseSeconds": 60}
    assert answer.json["cadence"] == cadence
    register.sign_off(who)
    [worker] = client("GET", "/api/v1/admin/workers").json["items"]
    assert worker["workItemId"] is None
    assert worker["stoppedAt"] == worker["seenAt"] >= answer.json["serverTime"]


@pytest.mark.parametrize("path", ["schedules", "workers", "work-items/counts"])
def test_they_are_for_admins_alone(anonymous: Client, path: str) -> None:
    assert anonymous("GET", f"/api/v1/admin/{path}").status == 401
