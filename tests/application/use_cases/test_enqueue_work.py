"""The enqueue path: what it checks, and what the queue is asked."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, Literal
from uuid import UUID

import pytest

from application.payloads import CrawlPayload, Payload, TokenCleanupPayload
from application.use_cases.enqueue_work import EnqueueWork, Request
from domain.errors import InvalidInput
from domain.work.status import WorkStatus
from tests.contracts.harness import InMemoryPorts

DAY = timedelta(hours=24)


class NotePayload(Payload):
    kind: Literal["Note"] = "Note"
    text: str
    tags: tuple[int, ...] = ()


@pytest.fixture
def ports() -> InMemoryPorts:
    return InMemoryPorts()


@pytest.fixture
def enqueue(ports: InMemoryPorts) -> EnqueueWork:
    def ids() -> Iterator[UUID]:
        number = 0
        while True:
            number += 1
            yield UUID(int=number)

    numbers = ids()
    return EnqueueWork(queue=ports.queue, new_id=lambda: next(numbers))


def test_a_request_becomes_a_queued_item(ports: InMemoryPorts, enqueue: EnqueueWork) -> None:
    config, asker = ports.add_config(), UUID(int=99)
    payload = CrawlPayload(storage_config_id=config)
    answer = enqueue(
        Request(payload=payload, scope=config, dedup_key=f"crawl:{config}", requested_by=asker)
    )
    item = ports.item(answer.id)
    assert answer.id == UUID(int=1)
    assert item.status is WorkStatus.QUEUED
    assert (item.kind, item.payload) == (
        "Crawl",
        {"kind": "Crawl", "storage_config_id": str(config)},
    )
    assert (item.storage_config_id, item.dedup_key) == (config, f"crawl:{config}")
    assert item.requested_by == asker


def test_a_second_request_with_the_key_coalesces(enqueue: EnqueueWork) -> None:
    request = Request(payload=TokenCleanupPayload(), dedup_key="token-cleanup")
    first, second = enqueue(request), enqueue(request)
    assert (first.coalesced, second.coalesced) == (False, True)
    assert first.id == second.id


def test_several_requests_join_a_callers_transaction(
    ports: InMemoryPorts, enqueue: EnqueueWork
) -> None:
    with ports.transactions.begin() as transaction:
        answers = enqueue.within(
            transaction,
            [
                Request(payload=TokenCleanupPayload(), dedup_key="b"),
                Request(payload=TokenCleanupPayload(), dedup_key="a"),
            ],
        )
    assert [ports.item(each.id).dedup_key for each in answers] == ["b", "a"]


def test_what_is_due_is_inserted_once(ports: InMemoryPorts, enqueue: EnqueueWork) -> None:
    request = Request(payload=TokenCleanupPayload(), dedup_key="token-cleanup")
    answer = enqueue.if_due(request, DAY)
    assert answer is not None
    assert ports.item(answer.id).dedup_key == "token-cleanup"
    assert enqueue.if_due(request, DAY) is None


def test_a_periodic_request_needs_a_key(enqueue: EnqueueWork) -> None:
    with pytest.raises(InvalidInput, match=r"^dedupKey: a periodic request needs one$"):
        enqueue.if_due(Request(payload=TokenCleanupPayload()), DAY)


@pytest.mark.parametrize(
    ("key", "complaint"),
    [
        ("k" * 201, "dedupKey: must have at most 200 characters"),
        ("", "dedupKey: must not be empty"),
    ],
)
def test_a_bad_key_is_refused_and_nothing_is_inserted(
    ports: InMemoryPorts, enqueue: EnqueueWork, key: str, complaint: str
) -> None:
    with pytest.raises(InvalidInput, match=f"^{complaint}$"):
        enqueue(Request(payload=TokenCleanupPayload(), dedup_key=key))
    assert ports.table.items == {}


@pytest.mark.parametrize("text", ["a\0b", "a\udc80"])
def test_a_payload_with_text_that_cannot_be_stored_is_refused(
    ports: InMemoryPorts, enqueue: EnqueueWork, text: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        enqueue(Request(payload=NotePayload.model_construct(text=text)))
    assert str(refused.value) == "payload: must not contain NUL or lone surrogates"
    assert ports.table.items == {}


def test_a_payload_of_64_kib_is_taken_and_one_byte_more_is_not(enqueue: EnqueueWork) -> None:
    room = 64 * 1024 - len('{"kind": "Note", "text": "", "tags": []}')
    for text in ("n" * room, "ä" * (room // 2)):
        assert not enqueue(Request(payload=NotePayload(text=text))).coalesced
    with pytest.raises(InvalidInput) as refused:
        enqueue(Request(payload=NotePayload(text="n" * (room + 1))))
    assert str(refused.value) == "payload: must have at most 65536 bytes of JSON"


@pytest.mark.filterwarnings("error")
def test_a_payload_that_its_class_refuses_is_refused_in_one_line(enqueue: EnqueueWork) -> None:
    wrong: dict[str, Any] = {"storage_config_id": 17}
    with pytest.raises(InvalidInput) as refused:
        enqueue(Request(payload=CrawlPayload.model_construct(**wrong)))
    assert str(refused.value) == (
        "payload: storage_config_id: UUID input should be a string, bytes or UUID object"
    )


def test_a_fault_deep_in_a_payload_says_where(enqueue: EnqueueWork) -> None:
    wrong: dict[str, Any] = {"text": "t", "tags": [1, "two"]}
    with pytest.raises(InvalidInput) as refused:
        enqueue(Request(payload=NotePayload.model_construct(**wrong)))
    assert str(refused.value).startswith("payload: tags.1: Input should be a valid integer")
