"""A real Worker: what it makes of handlers that end in every way there is."""

import json
import socket
from uuid import uuid4

import pytest

from application.ports.work_queue import NewWorkItem
from domain.work.progress import progress_of
from domain.work.status import WorkStatus
from tests.process.hosts import Scene, eventually

pytestmark = [pytest.mark.postgres, pytest.mark.process]


def test_items_run_in_order_one_at_a_time_in_one_runner(stage: Scene) -> None:
    ids = [stage.enqueue("return", seconds=n) for n in range(3)]
    stage.start()
    items = [stage.until(item_id, WorkStatus.SUCCEEDED) for item_id in ids]
    assert [item.result for item in items] == [{"seconds": n} for n in range(3)]
    assert items[0].progress == progress_of(3, 3, "all")
    events = [(line["event"], line["item"]) for line in stage.ledger]
    assert events == [(event, str(each)) for each in ids for event in ("begin", "end")]
    assert len({line["pid"] for line in stage.ledger}) == 1


def test_a_running_items_progress_is_seen_while_it_runs(stage: Scene) -> None:
    item_id = stage.enqueue("work", seconds=3)
    stage.start()
    stage.until_begun(item_id)
    seen = set()
    while (item := stage.item(item_id)).status is WorkStatus.RUNNING:
        seen.add(item.progress.done)
    assert len(seen - {None}) >= 3
    assert item.status is WorkStatus.SUCCEEDED


def test_an_error_reaches_the_item_without_path_or_odd_text(stage: Scene) -> None:
    item_id = stage.enqueue("raise")
    after = stage.enqueue("return")
    worker = stage.start()
    item = stage.until(item_id, WorkStatus.FAILED)
    stage.until(after, WorkStatus.SUCCEEDED)
    assert item.error is not None
    assert item.error.startswith("ValueError: no \N{REPLACEMENT CHARACTER} good")
    assert "Anna" not in item.error
    assert "kiss" not in item.error
    assert "first kiss.jpg" in worker.log.read_text()


def test_a_huge_error_is_cut_and_a_huge_result_fails_its_item(stage: Scene) -> None:
    error_id, result_id = stage.enqueue("huge error"), stage.enqueue("huge result")
    stage.start()
    error = stage.until(error_id, WorkStatus.FAILED).error
    assert error is not None
    assert len(error.encode()) <= 8 * 1024
    failed = stage.until(result_id, WorkStatus.FAILED)
    assert failed.result is None
    assert failed.error == ("InvalidResult: the result has 300012 bytes; at most 262144 are kept")


def test_a_chain_of_300_causes_is_told_by_its_last_error(stage: Scene) -> None:
    item_id, after = stage.enqueue("deep causes"), stage.enqueue("return")
    stage.start()
    assert stage.until(item_id, WorkStatus.FAILED).error == "RuntimeError: cause 299"
    stage.until(after, WorkStatus.SUCCEEDED)


def test_text_that_postgres_cannot_hold_is_replaced_in_notes_and_results(stage: Scene) -> None:
    item_id = stage.enqueue("odd text")
    stage.start()
    item = stage.until(item_id, WorkStatus.SUCCEEDED)
    mark = "\N{REPLACEMENT CHARACTER}"
    assert item.result == {f"t{mark}": f"a{mark}b{mark} \U0001f600"}
    assert item.progress.note == f"a{mark}b{mark} c \U0001f600 \u202e"


def test_a_huge_note_at_every_beat_is_cut(stage: Scene) -> None:
    item_id = stage.enqueue("huge note", seconds=1.5)
    stage.start()
    item = stage.until(item_id, WorkStatus.SUCCEEDED)
    assert item.progress.note is not None
    assert len(item.progress.note) == 200


def test_a_payload_that_does_not_validate_fails_its_own_item_only(stage: Scene) -> None:
    bad = stage.ports.queue.enqueue(_new_item({"kind": "Script", "act": "return", "gained": 1})).id
    lost = stage.ports.queue.enqueue(_new_item({"kind": "Script"})).id
    good = stage.enqueue("return")
    stage.start()
    stage.until(good, WorkStatus.SUCCEEDED)
    for item_id in (bad, lost):
        item = stage.until(item_id, WorkStatus.FAILED)
        assert item.error is not None
        assert item.error.startswith("ValidationError: 1 validation error for ScriptPayload")


def test_a_handler_that_calls_sys_exit_fails_its_item_only(stage: Scene) -> None:
    item_id, after = stage.enqueue("sys.exit"), stage.enqueue("return")
    stage.start()
    assert stage.until(item_id, WorkStatus.FAILED).error == "SystemExit: gone"
    stage.until(after, WorkStatus.SUCCEEDED)
    assert len({line["pid"] for line in stage.ledger}) == 1


@pytest.mark.parametrize("act", ["exit", "segfault", "out of memory"])
def test_a_handler_that_dies_fails_after_three_stalls_and_the_worker_lives(
    stage: Scene, act: str
) -> None:
    item_id, after = stage.enqueue(act), stage.enqueue("return")
    worker = stage.start()
    item = stage.until(item_id, WorkStatus.FAILED, 30)
    stage.until(after, WorkStatus.SUCCEEDED)
    assert (item.stalls, item.attempt) == (3, 3)
    assert item.error is not None
    assert item.error.startswith("stalled: 3 ")
    assert stage.begun(item_id) == [1, 2, 3]
    assert worker.process.poll() is None
    assert {line["keeper"] for line in stage.ledger} == {worker.process.pid}


def test_a_handler_that_holds_the_gil_for_two_leases_keeps_its_lease(stage: Scene) -> None:
    item_id = stage.enqueue("hold the GIL", seconds=6.5)
    stage.start()
    item = stage.until(item_id, WorkStatus.SUCCEEDED)
    assert (item.attempt, item.stalls, item.result) == (1, 0, {"held": 6.5})


def test_an_unknown_kind_waits_while_others_run(stage: Scene) -> None:
    unknown = stage.ports.enqueue("FromANewerRelease")
    known = stage.enqueue("return")
    stage.start()
    stage.until(known, WorkStatus.SUCCEEDED)
    assert stage.item(unknown).status is WorkStatus.QUEUED


def _new_item(payload: dict[str, object]) -> NewWorkItem:
    return NewWorkItem(id=uuid4(), kind="Script", payload=payload)


def test_every_line_about_an_item_names_it_its_kind_its_attempt_and_the_worker(
    stage: Scene,
) -> None:
    item_id = stage.enqueue("raise")
    worker = stage.start(LOG_FORMAT="json")
    stage.until(item_id, WorkStatus.FAILED)
    eventually(lambda: "Failed: the item is Failed" in worker.log.read_text())
    lines = [json.loads(line) for line in worker.log.read_text().splitlines()]
    about = {line["event"]: line for line in lines if line.get("item_id") == str(item_id)}
    assert set(about) >= {"claimed Script", "the handler raised", "Failed: the item is Failed"}
    name = f"all@{socket.gethostname()}"
    for line in about.values():
        assert (line["kind"], line["attempt"], line["worker"]) == ("Script", 1, name)
    assert all(line["worker"] == name for line in lines)
