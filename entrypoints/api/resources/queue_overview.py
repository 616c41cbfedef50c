"""What surrounds the list of work items, for admins: counts, schedules and Workers."""

import falcon.asgi

from application.use_cases.count_work import CountWork
from application.use_cases.read_schedules import ReadSchedules
from application.use_cases.read_workers import ReadWorkers
from entrypoints.api.answers import show
from entrypoints.api.dto import NoQuery
from entrypoints.api.offload import Offload
from entrypoints.api.queue_views import (
    CadenceView,
    SchedulesView,
    WorkersView,
    WorkItemCountsView,
)
from entrypoints.api.reading import read_query
from entrypoints.api.work_item_views import WorkItemFilterQuery


class WorkItemCountsResource:
    """How many items there are by kind and status."""

    def __init__(self, *, count_work: CountWork, offload: Offload) -> None:
        self._count = count_work
        self._offload = offload

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        query = read_query(req, WorkItemFilterQuery)
        show(resp, WorkItemCountsView.of(await self._offload(self._count, query.filter())))


class SchedulesResource:
    """What is done again and again."""

    def __init__(self, *, read_schedules: ReadSchedules, offload: Offload) -> None:
        self._read = read_schedules
        self._offload = offload

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        read_query(req, NoQuery)
        show(resp, SchedulesView.of(await self._offload(self._read)))


class WorkersResource:
    """Who is there to work."""

    def __init__(
        self, *, read_workers: ReadWorkers, cadence: CadenceView, offload: Offload
    ) -> None:
        self._read = read_workers
        self._cadence = cadence
        self._offload = offload

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        read_query(req, NoQuery)
        show(resp, WorkersView.of(await self._offload(self._read), self._cadence))
