"""An item that was claimed along with the outcome of the last one."""

from typing_extensions import override

from application.execution.inbox import RunEnded, ShutDown
from application.ports.runner import Returned, Stopped
from application.ports.work_item_execution import Answer, ClaimRequest
from domain.work.attempt import AttemptTag
from domain.work.item import WorkItem
from domain.work.outcome import Failed, Succeeded
from domain.work.progress import NO_PROGRESS, Progress
from domain.work.status import WorkStatus
from tests.entrypoints.worker.loop.stage import Stage
from tests.fakes.work_table import InMemoryWorkItemExecution


def test_an_item_that_came_with_an_outcome_is_run_before_anything_is_claimed(
    stage: Stage,
) -> None:
    class Counting(InMemoryWorkItemExecution):
        claims = 0

        @override
        def claim(self, request: ClaimRequest) -> WorkItem | None:
            self.claims += 1
            return super().claim(request)

        @override
        def finish_and_claim(
            self,
            tag: AttemptTag,
            outcome: Succeeded | Failed,
            progress: Progress,
            request: ClaimRequest,
        ) -> tuple[Answer, WorkItem | None]:
            answer = self.finish(tag, outcome, progress)
            return answer, super().claim(request)

    stage.store = counting = Counting(stage.ports.table)
    items = [stage.ports.enqueue() for _ in range(3)]
    for number, item_id in enumerate(items):
        ended = RunEnded(AttemptTag(item_id=item_id, attempt=1), Returned({}), NO_PROGRESS)
        stage.inbox.at(0.1 * (number + 1), ended)
    stage.inbox.at(1, ShutDown())
    stage.run()
    assert [each.tag.item_id for each in stage.runner.begun] == items
    # The first item, and the look that found nothing more.
    assert counting.claims == 2


def test_an_item_that_came_while_it_was_told_to_stop_is_handed_back(stage: Stage) -> None:
    class Told(InMemoryWorkItemExecution):
        @override
        def finish_and_claim(
            self,
            tag: AttemptTag,
            outcome: Succeeded | Failed,
            progress: Progress,
            request: ClaimRequest,
        ) -> tuple[Answer, WorkItem | None]:
            stage.inbox.put(ShutDown())
            return super().finish_and_claim(tag, outcome, progress, request)

    stage.store = Told(stage.ports.table)
    first, second = stage.ports.enqueue(), stage.ports.enqueue()
    for item_id, report in ((first, Returned({})), (second, Stopped(None))):
        tag = AttemptTag(item_id=item_id, attempt=1)
        stage.inbox.at(0.5, RunEnded(tag, report, NO_PROGRESS))
    assert stage.run() == 0
    item = stage.ports.item(second)
    assert stage.ports.item(first).status is WorkStatus.SUCCEEDED
    assert (item.status, item.attempt, item.stalls) == (WorkStatus.QUEUED, 1, 0)
