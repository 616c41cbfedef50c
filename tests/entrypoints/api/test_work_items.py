"""The queue over HTTP."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from sqlalchemy import Engine

from domain.identity.user import User
from domain.work.kind import WorkKind
from domain.work.outcome import Cancelled, Failed, Succeeded
from domain.work.progress import NO_PROGRESS, progress_of
from tests.contracts.harness import PostgresPorts
from tests.entrypoints.api.client import Client

pytestmark = pytest.mark.postgres
ITEMS = "/api/v1/admin/work-items"
LEASE = timedelta(seconds=60)


@pytest.fixture
def work(engine: Engine) -> PostgresPorts:
    return PostgresPorts(engine=engine)


ALWAYS = {
    *("id", "kind", "status", "storageConfigId", "requestedBy", "requestedAt", "attempt", "stalls"),
    *("claimedBy", "startedAt", "leaseUntil", "finishedAt", "updatedAt", "cancelRequestedAt"),
    "progress",
}


def test_a_queued_item_is_listed_without_payload_and_key(
    client: Client, work: PostgresPorts
) -> None:
    item_id = work.enqueue()
    answer = client("GET", ITEMS)
    assert answer.status == 200
    assert set(answer.json) == {
        *("items", "page", "pageSize", "total", "totalIsCapped", "cursor", "serverTime"),
    }
    [item] = answer.json["items"]
    assert set(item) == ALWAYS
    assert (item["id"], item["kind"], item["status"]) == (str(item_id), "TokenCleanup", "Queued")
    assert (item["requestedBy"], item["attempt"], item["stalls"]) == (None, 0, 0)
    assert item["progress"] == {"done": None, "total": None, "note": None}
    assert item["requestedAt"].endswith("Z")
    assert (answer.json["total"], answer.json["totalIsCapped"]) == (1, False)
    assert (answer.json["page"], answer.json["pageSize"]) == (1, 50)
    assert answer.json["cursor"].startswith(item["updatedAt"].rstrip("Z"))


def test_an_empty_queue_has_a_cursor_too(client: Client) -> None:
    answer = client("GET", ITEMS).json
    assert (answer["items"], answer["total"]) == ([], 0)
    assert answer["cursor"].endswith("Z")


def test_the_newest_request_comes_first_in_pages(client: Client, work: PostgresPorts) -> None:
    ids = [str(work.enqueue()) for _ in range(3)]
    answer = client("GET", f"{ITEMS}?page=2&pageSize=2").json
    assert [item["id"] for item in answer["items"]] == [ids[0]]
    assert (answer["page"], answer["pageSize"], answer["total"]) == (2, 2, 3)


def test_status_and_kind_filter_and_may_be_repeated(client: Client, work: PostgresPorts) -> None:
    cleanup = work.enqueue()
    work.claim()
    retention = work.enqueue(WorkKind.WORK_ITEM_RETENTION)

    def listed(query: str) -> set[str]:
        return {item["id"] for item in client("GET", f"{ITEMS}?{query}").json["items"]}

    assert listed("status=Queued") == {str(retention)}
    assert listed("status=Queued&status=Running") == {str(cleanup), str(retention)}
    assert listed("kind=TokenCleanup&kind=Crawl") == {str(cleanup)}
    assert listed("kind=TokenCleanup&status=Queued") == set()


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("status=Sleeping", "status"),
        ("status=queued", "status"),
        ("status=", "status"),
        ("status=Queued&status=x", "status"),
        ("kind=Laundry", "kind"),
        ("kind=", "kind"),
        ("page=0", "page"),
        ("pageSize=201", "pageSize"),
        ("pageSize=0", "pageSize"),
        ("sort=kind", "sort"),
    ],
)
def test_a_bad_filter_is_refused_by_name(client: Client, query: str, field: str) -> None:
    answer = client("GET", f"{ITEMS}?{query}")
    assert answer.status == 400
    assert {problem["field"] for problem in answer.json["errors"]} == {field}
    assert answer.json["detail"].startswith(f"{field}: ")


def test_a_running_item_shows_its_worker_lease_and_progress(
    client: Client, work: PostgresPorts
) -> None:
    work.enqueue()
    tag = work.claimed()
    work.execution.heartbeat(tag, progress_of(3, 7, "3 found"), LEASE)
    item = client("GET", f"{ITEMS}/{tag.item_id}").json
    assert set(item) == {*ALWAYS, "serverTime"}
    assert (item["status"], item["attempt"]) == ("Running", 1)
    assert item["progress"] == {"done": 3, "total": 7, "note": "3 found"}
    assert item["leaseUntil"] > item["serverTime"] > item["startedAt"]


def test_a_succeeded_item_shows_its_result(client: Client, work: PostgresPorts) -> None:
    work.enqueue()
    tag = work.claimed()
    work.execution.finish(tag, Succeeded({"deleted": 3}), NO_PROGRESS)
    item = client("GET", f"{ITEMS}/{tag.item_id}").json
    assert set(item) == {*ALWAYS, "serverTime", "result"}
    assert item["result"] == {"deleted": 3}
    assert client("GET", ITEMS).json["items"][0]["result"] == {"deleted": 3}


def test_a_failed_item_shows_its_error_cut_in_the_list(client: Client, work: PostgresPorts) -> None:
    work.enqueue()
    tag = work.claimed()
    work.execution.finish(tag, Failed("x" * 700), NO_PROGRESS)
    assert client("GET", f"{ITEMS}/{tag.item_id}").json["error"] == "x" * 700
    [listed] = client("GET", ITEMS).json["items"]
    assert set(listed) == {*ALWAYS, "error"}
    assert listed["error"] == "x" * 500


def test_a_large_result_is_left_out_of_the_list_only(client: Client, work: PostgresPorts) -> None:
    work.enqueue()
    tag = work.claimed()
    work.execution.finish(tag, Succeeded({"facts": "x" * 5000}), NO_PROGRESS)
    [listed] = client("GET", ITEMS).json["items"]
    assert set(listed) == {*ALWAYS, "resultOmitted"}
    assert listed["resultOmitted"] is True
    detail = client("GET", f"{ITEMS}/{tag.item_id}").json
    assert detail["result"] == {"facts": "x" * 5000}
    assert "resultOmitted" not in detail


def test_an_item_of_an_unknown_kind_is_listed_and_cancelled(
    client: Client, work: PostgresPorts
) -> None:
    item_id = work.enqueue("FromANewerRelease")
    assert client("GET", ITEMS).json["items"][0]["kind"] == "FromANewerRelease"
    assert client("POST", f"{ITEMS}/{item_id}/cancel").json["status"] == "Cancelled"


def test_cancelling_a_queued_item_ends_it_at_once(client: Client, work: PostgresPorts) -> None:
    item_id = work.enqueue()
    answer = client("POST", f"{ITEMS}/{item_id}/cancel")
    assert answer.status == 200
    assert (answer.json["status"], answer.json["resultIsPartial"]) == ("Cancelled", True)
    assert answer.json["finishedAt"] is not None
    assert answer.json["serverTime"] >= answer.json["finishedAt"]


def test_cancelling_a_running_item_asks_once_and_may_be_repeated(
    client: Client, work: PostgresPorts
) -> None:
    work.enqueue()
    tag = work.claimed()
    first = client("POST", f"{ITEMS}/{tag.item_id}/cancel")
    second = client("POST", f"{ITEMS}/{tag.item_id}/cancel")
    assert (first.status, second.status) == (202, 202)
    assert first.json["status"] == "Running"
    assert first.json["cancelRequestedAt"] is not None
    assert second.json["cancelRequestedAt"] == first.json["cancelRequestedAt"]
    work.execution.finish(tag, Cancelled({"deleted": 1}), NO_PROGRESS)
    item = client("GET", f"{ITEMS}/{tag.item_id}").json
    assert (item["status"], item["result"], item["resultIsPartial"]) == (
        *("Cancelled", {"deleted": 1}),
        True,
    )


def test_cancelling_a_finished_item_is_a_conflict_that_shows_it(
    client: Client, work: PostgresPorts
) -> None:
    work.enqueue()
    tag = work.claimed()
    work.execution.finish(tag, Succeeded({"deleted": 3}), NO_PROGRESS)
    answer = client("POST", f"{ITEMS}/{tag.item_id}/cancel")
    assert answer.status == 409
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json["detail"] == "the item has already finished: Succeeded"
    assert answer.json["item"]["status"] == "Succeeded"
    assert answer.json["item"]["result"] == {"deleted": 3}


def test_an_unknown_item_is_not_found(client: Client) -> None:
    assert client("GET", f"{ITEMS}/{uuid4()}").status == 404
    assert client("POST", f"{ITEMS}/{uuid4()}/cancel").status == 404


@pytest.mark.parametrize("text", ["1", "not-a-uuid", "00000000000000000000000000000001"])
def test_what_is_no_uuid_is_refused(client: Client, text: str) -> None:
    for answer in (client("GET", f"{ITEMS}/{text}"), client("POST", f"{ITEMS}/{text}/cancel")):
        assert (answer.status, answer.json["detail"]) == (400, "id: must be a UUID")


@pytest.mark.parametrize(
    "name", ["Crawl", "TokenCleanup", "WorkItemRetention", "crawl", "token-cleanup", "Laundry"]
)
def test_no_kind_can_be_enqueued_by_an_admin(client: Client, name: str) -> None:
    assert client("POST", f"{ITEMS}/{name}", json={}).status == 404
    assert client("GET", ITEMS).json["total"] == 0


def test_odd_text_stays_valid_json(client: Client, work: PostgresPorts) -> None:
    work.enqueue()
    tag = work.claimed()
    odd = 'a\N{LINE SEPARATOR}b "\\ \N{GRINNING FACE} \N{RIGHT-TO-LEFT OVERRIDE}\r\n\t'
    work.execution.finish(tag, Failed(odd), NO_PROGRESS)
    assert client("GET", f"{ITEMS}/{tag.item_id}").json["error"] == odd


def test_a_deleted_config_takes_its_items_along(
    client: Client, work: PostgresPorts, admin: User
) -> None:
    body = {"userId": str(admin.id), "rootPath": "/photos"}
    config = client("POST", "/api/v1/admin/storage-configs", json=body).json
    work.enqueue(WorkKind.CRAWL, scope=UUID(config["id"]))
    assert client("GET", ITEMS).json["items"][0]["storageConfigId"] == config["id"]
    assert client("DELETE", f"/api/v1/admin/storage-configs/{config['id']}").status == 204
    assert client("GET", ITEMS).json["total"] == 0
