"""What surrounds the list of work items: counts, schedules and Workers."""

from datetime import datetime
from typing import Self
from uuid import UUID

from pydantic import Field

from application.ports.periodic_runs import CurrentRun, FinishedRun
from application.ports.work_item_counts import KindCount, WorkItemCounts
from application.ports.worker_directory import SeenWorker, WorkersSeen
from application.use_cases.read_schedules import ScheduledSlot, ScheduleOverview
from domain.work.status import WorkStatus
from entrypoints.api.dto import Response


class KindCountView(Response):
    """The items of one kind in one status; what does not occur is left out."""

    kind: str
    status: WorkStatus
    count: int
    is_capped: bool = Field(description="there are at least so many")

    @classmethod
    def of(cls, counted: KindCount) -> Self:
        return cls(
            kind=counted.kind,
            status=counted.status,
            count=counted.count,
            is_capped=counted.is_capped,
        )


class WorkItemCountsView(Response):
    """Up to a second old. Each count is exact to 10,000; with a scope, to 100,000 items in all."""

    counts: list[KindCountView]
    server_time: datetime

    @classmethod
    def of(cls, counts: WorkItemCounts) -> Self:
        return cls(
            counts=[KindCountView.of(each) for each in counts.counts],
            server_time=counts.server_time,
        )


class FinishedRunView(Response):
    """The last run of a schedule that ended."""

    work_item_id: UUID
    status: WorkStatus
    finished_at: datetime

    @classmethod
    def of(cls, run: FinishedRun) -> Self:
        return cls(work_item_id=run.item_id, status=run.status, finished_at=run.finished_at)


class CurrentRunView(Response):
    """The run of a schedule that waits or runs."""

    work_item_id: UUID
    status: WorkStatus

    @classmethod
    def of(cls, run: CurrentRun) -> Self:
        return cls(work_item_id=run.item_id, status=run.status)


class ScheduleView(Response):
    """One kind of work that is done again and again in one scope."""

    kind: str
    storage_config_id: UUID | None
    interval_seconds: float = Field(description="from the end of one run to the next")
    last_run: FinishedRunView | None
    current_run: CurrentRunView | None
    next_due_at: datetime | None = Field(description="null: it waits or runs")
    is_overdue: bool = Field(description="due for over a minute, and nobody has enqueued it")

    @classmethod
    def of(cls, slot: ScheduledSlot) -> Self:
        last, current = slot.runs.last, slot.runs.current
        return cls(
            kind=slot.kind,
            storage_config_id=slot.scope,
            interval_seconds=slot.interval.total_seconds(),
            last_run=last and FinishedRunView.of(last),
            current_run=current and CurrentRunView.of(current),
            next_due_at=slot.next_due_at,
            is_overdue=slot.is_overdue,
        )


class SchedulesView(Response):
    """Every schedule of every active storage config, and the unscoped ones."""

    items: list[ScheduleView]
    server_time: datetime

    @classmethod
    def of(cls, overview: ScheduleOverview) -> Self:
        return cls(
            items=[ScheduleView.of(slot) for slot in overview.slots],
            server_time=overview.server_time,
        )


class WorkerView(Response):
    """One Worker process."""

    id: UUID
    name: str = Field(description="whom it serves, at which host")
    user_id: UUID | None = Field(description="whose storage configs; null: everyone's")
    host: str
    version: str
    started_at: datetime
    seen_at: datetime = Field(description="its last sign of life")
    work_item_id: UUID | None = Field(description="what it ran then")
    stopped_at: datetime | None = Field(
        description="when it stopped as it was told to; null: it has not said so"
    )

    @classmethod
    def of(cls, seen: SeenWorker) -> Self:
        who = seen.identity
        return cls(
            id=who.id,
            name=who.name,
            user_id=who.user_id,
            host=who.host,
            version=who.version,
            started_at=seen.started_at,
            seen_at=seen.seen_at,
            work_item_id=seen.item_id,
            stopped_at=seen.stopped_at,
        )


class CadenceView(Response):
    """How often Workers give signs, as this host's settings have it: give all hosts the same."""

    poll_seconds: float = Field(description="between two signs of a Worker")
    heartbeat_seconds: float = Field(description="between two of a running item's")
    lease_seconds: float = Field(description="for how long a heartbeat is believed")


class WorkersView(Response):
    """The Workers that are remembered, the one seen last first; at most 200."""

    items: list[WorkerView]
    cadence: CadenceView
    server_time: datetime

    @classmethod
    def of(cls, seen: WorkersSeen, cadence: CadenceView) -> Self:
        return cls(
            items=[WorkerView.of(each) for each in seen.workers],
            cadence=cadence,
            server_time=seen.server_time,
        )
