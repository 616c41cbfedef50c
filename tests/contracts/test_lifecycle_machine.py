"""Random walks: PostgreSQL and the in-memory ports, built from one table, always agree."""

from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import Engine, text

from application.ports.work_item_canceller import CancelAnswer
from application.ports.work_item_execution import ClaimRequest, Serves
from domain.work.attempt import AttemptTag
from domain.work.item import WorkItem
from domain.work.kind import WorkKind
from domain.work.outcome import Cancelled, Failed, Succeeded
from domain.work.progress import NO_PROGRESS, progress_of
from tests.contracts.harness import LEASE, InMemoryPorts, PostgresPorts, WorkPorts

IDS = [UUID(int=n) for n in range(1, 5)]
KEYS = st.sampled_from([None, "a", "a", "b"])
TAGS = st.builds(AttemptTag, item_id=st.sampled_from(IDS), attempt=st.integers(1, 4))
PROGRESS = st.sampled_from([NO_PROGRESS, progress_of(1, None, "x"), progress_of(2, 9, "x")])
OUTCOMES = st.sampled_from([Succeeded({"n": 1}), Failed("x"), Cancelled({"n": 2}), Cancelled(None)])
SPANS = st.sampled_from([timedelta(seconds=20), LEASE + timedelta(seconds=20), timedelta(hours=3)])
TWO_HOURS = timedelta(hours=2)


class Walk(RuleBasedStateMachine):
    engine: Engine

    @initialize()
    def start(self) -> None:
        with self.engine.begin() as connection:
            connection.execute(text("TRUNCATE work_items, work_item_removals CASCADE"))
        self.model, self.real = InMemoryPorts(), PostgresPorts(engine=self.engine)

    def both(self, act: Callable[[WorkPorts], object]) -> None:
        self.model.advance(timedelta(microseconds=50))  # a real clock never stands still
        assert act(self.model) == act(self.real)

    @rule(item_id=st.sampled_from(IDS), key=KEYS)
    def enqueue(self, item_id: UUID, key: str | None) -> None:
        if self.model.reader.get(item_id) is None:
            self.both(lambda ports: ports.enqueue(key=key, item_id=item_id))

    @rule(worker=st.sampled_from(["anna@nas", "all@box"]))
    def claim(self, worker: str) -> None:
        self.both(
            lambda ports: face(
                ports.execution.claim(
                    ClaimRequest(
                        serves=Serves(), kinds=[WorkKind.TOKEN_CLEANUP], worker=worker, lease=LEASE
                    )
                )
            )
        )

    @rule(tag=TAGS, progress=PROGRESS)
    def heartbeat(self, tag: AttemptTag, progress: object) -> None:
        self.both(lambda ports: ports.execution.heartbeat(tag, progress, LEASE))  # type: ignore[arg-type]

    @rule(tag=TAGS, outcome=OUTCOMES, progress=PROGRESS)
    def finish(self, tag: AttemptTag, outcome: object, progress: object) -> None:
        self.both(lambda ports: ports.execution.finish(tag, outcome, progress))  # type: ignore[arg-type]

    @rule(tag=TAGS, partial=st.sampled_from([None, {"n": 3}]))
    def release(self, tag: AttemptTag, partial: dict[str, object] | None) -> None:
        self.both(lambda ports: ports.execution.release(tag, partial))

    @rule(tag=TAGS, limit=st.sampled_from([1, 3]))
    def recover_dead(self, tag: AttemptTag, limit: int) -> None:
        self.both(lambda ports: ports.execution.recover_dead(tag, stall_limit=limit))

    @rule(item_id=st.sampled_from(IDS), limit=st.sampled_from([1, 2, 3]))
    def recover(self, item_id: UUID, limit: int) -> None:
        self.both(lambda ports: ports.execution.recover(item_id, stall_limit=limit))

    @rule()
    def recover_all(self) -> None:
        self.both(lambda ports: list(ports.execution.stalled(10)))
        for item_id in self.model.execution.stalled(10):
            self.recover(item_id, 3)

    @rule(item_id=st.sampled_from(IDS))
    def cancel(self, item_id: UUID) -> None:
        self.both(lambda ports: answer(ports.canceller.cancel(item_id)))

    @rule(key=st.sampled_from(["a", "b"]))
    def look_for_due_work(self, key: str) -> None:
        self.both(lambda ports: ports.due_work.due({key: TWO_HOURS}))

    @rule(span=SPANS)
    def time_passes(self, span: timedelta) -> None:
        self.model.advance(span)
        self.real.advance(span)

    @invariant()
    def every_visible_field_agrees(self) -> None:
        if not hasattr(self, "model"):
            return
        for item_id in IDS:
            model, real = self.model.reader.get(item_id), self.real.reader.get(item_id)
            assert face(model.item if model else None) == face(real.item if real else None)
        assert order(self.model) == order(self.real)


def answer(cancelled: CancelAnswer | None) -> object:
    return cancelled and (type(cancelled), face(cancelled.item))


def order(ports: WorkPorts) -> list[UUID]:
    return [change.item_id for change in ports.changes.newest(10).changes]


def face(item: WorkItem | None) -> object:
    """Every field; instants as whole tens of seconds since the request, which both walks share."""
    if item is None:
        return None

    def age(instant: datetime | None) -> int | None:
        return (
            None if instant is None else round((instant - item.requested_at).total_seconds() / 10)
        )

    return (
        *(item.kind, item.payload, item.storage_config_id, item.dedup_key, item.requested_by),
        *(item.status, item.attempt, item.stalls, item.claimed_by),
        *(item.progress, item.result, item.error),
        *(age(item.started_at), age(item.lease_until), age(item.finished_at)),
        *(age(item.updated_at), age(item.cancel_requested_at)),
    )


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.timeout(600)
def test_postgres_agrees_with_the_domain_on_every_walk(engine: Engine) -> None:
    machine = type("BoundWalk", (Walk,), {"engine": engine})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=60,
            stateful_step_count=40,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
