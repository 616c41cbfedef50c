"""What the runner says arrives in the keeper's inbox; settings become spans."""

from datetime import timedelta
from uuid import UUID

import pytest

from application.execution.inbox import Inbox, RunDied, RunEnded
from application.ports.runner import Returned
from domain.work.attempt import AttemptTag
from domain.work.progress import progress_of
from entrypoints.worker.runner_link import died_into, ended_into
from entrypoints.worker.spans import days, hours, seconds

TAG = AttemptTag(item_id=UUID(int=7), attempt=2)


def test_the_end_of_a_run_arrives_with_its_report_and_progress() -> None:
    inbox = Inbox()
    ended_into(inbox)(TAG, Returned({"files": 3}), progress_of(3, 4, "n"))
    assert inbox.next(0) == RunEnded(TAG, Returned({"files": 3}), progress_of(3, 4, "n"))


@pytest.mark.parametrize("tag", [TAG, None])
def test_the_death_of_a_runner_arrives_with_what_it_was_running(tag: AttemptTag | None) -> None:
    inbox = Inbox()
    died_into(inbox)(tag)
    assert inbox.next(0) == RunDied(tag)


def test_numbers_of_settings_become_spans() -> None:
    assert seconds(1.5) == timedelta(microseconds=1_500_000)
    assert hours(6) == timedelta(seconds=21_600)
    assert days(30) == timedelta(seconds=2_592_000)
