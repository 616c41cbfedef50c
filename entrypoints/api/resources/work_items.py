"""The queue, for admins."""

from http import HTTPStatus
from typing import assert_never
from uuid import UUID

import falcon
import falcon.asgi

from application.ports.work_item_canceller import (
    AlreadyFinished,
    CancelAnswer,
    CancelledAtOnce,
    CancelRequested,
)
from application.use_cases.cancel_work import CancelWork
from application.use_cases.read_work import ListWork, ReadWork
from entrypoints.api.answers import show
from entrypoints.api.dto import NoQuery
from entrypoints.api.offload import Offload
from entrypoints.api.problems import show_problem
from entrypoints.api.reading import read_id, read_query
from entrypoints.api.work_item_views import (
    FinishedProblem,
    WorkItemDetailView,
    WorkItemPageView,
    WorkItemsQuery,
)


class WorkItemsResource:
    """The list."""

    def __init__(self, *, list_work: ListWork, offload: Offload) -> None:
        self._list = list_work
        self._offload = offload

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        query = read_query(req, WorkItemsQuery)
        page = await self._offload(
            self._list, query.filter(), page=query.page, page_size=query.page_size
        )
        show(resp, WorkItemPageView.of(page, query))


class WorkItemResource:
    """One item."""

    def __init__(self, *, read_work: ReadWork, offload: Offload) -> None:
        self._read = read_work
        self._offload = offload

    async def on_get(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, item_id: str
    ) -> None:
        wanted = read_id(item_id)
        read_query(req, NoQuery)
        show(resp, WorkItemDetailView.of_read(await self._offload(self._read, wanted)))

    async def on_post(
        self,
        req: falcon.asgi.Request,  # noqa: ARG002  # falcon's signature
        resp: falcon.asgi.Response,  # noqa: ARG002
        item_id: str,  # noqa: ARG002
    ) -> None:
        """Where a kind that admins may enqueue would be; there is none."""
        raise falcon.HTTPNotFound(description="no kind of this name can be enqueued")


class CancelResource:
    """Cancelling one item."""

    def __init__(self, *, cancel_work: CancelWork, read_work: ReadWork, offload: Offload) -> None:
        self._cancel = cancel_work
        self._read = read_work
        self._offload = offload

    async def on_post(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, item_id: str
    ) -> None:
        wanted = read_id(item_id)
        read_query(req, NoQuery)
        answer, item = await self._offload(self._cancelled, wanted)
        match answer:
            case CancelledAtOnce():
                show(resp, item)
            case CancelRequested():
                show(resp, item, HTTPStatus.ACCEPTED)
            case AlreadyFinished():
                show_problem(resp, _finished(item))
            case _:
                assert_never(answer)

    def _cancelled(self, item_id: UUID) -> tuple[CancelAnswer, WorkItemDetailView]:
        answer = self._cancel(item_id)
        # The item is the one that was decided on; only the time is read afterwards.
        server_time = self._read(item_id).server_time
        return answer, WorkItemDetailView.of_detail(answer.item, server_time)


def _finished(item: WorkItemDetailView) -> FinishedProblem:
    return FinishedProblem(
        title=HTTPStatus.CONFLICT.phrase,
        status=HTTPStatus.CONFLICT,
        detail=f"the item has already finished: {item.status}",
        item=item,
    )
