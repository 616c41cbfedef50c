"""The folders of originals, for admins."""

from http import HTTPStatus
from uuid import UUID

import falcon.asgi

from application.ports.storage_configs import StorageConfigChange
from application.use_cases.allow_missing import AllowMissing
from application.use_cases.manage_storage_configs import (
    AddStorageConfig,
    ChangeStorageConfig,
    ListStorageConfigs,
    RemoveStorageConfig,
)
from application.use_cases.read_work import ReadWork
from entrypoints.api.access import caller_of
from entrypoints.api.answers import show
from entrypoints.api.dto import (
    AddStorageConfigRequest,
    ChangeStorageConfigRequest,
    NoQuery,
    PageQuery,
    StorageConfigPageView,
    StorageConfigView,
)
from entrypoints.api.offload import Offload
from entrypoints.api.reading import read_body, read_id, read_query
from entrypoints.api.work_item_views import WorkItemDetailView


class StorageConfigsResource:
    """The list, and adding to it."""

    def __init__(
        self,
        *,
        list_storage_configs: ListStorageConfigs,
        add_storage_config: AddStorageConfig,
        offload: Offload,
    ) -> None:
        self._list = list_storage_configs
        self._add = add_storage_config
        self._offload = offload

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        query = read_query(req, PageQuery)
        page = await self._offload(self._list, query.request())
        show(resp, StorageConfigPageView.of(page, query))

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        read_query(req, NoQuery)
        body = await read_body(req, AddStorageConfigRequest)
        config = await self._offload(
            self._add, user_id=body.user_id, root_path=body.root_path, time_zone=body.time_zone
        )
        show(resp, StorageConfigView.of(config), HTTPStatus.CREATED)


class StorageConfigResource:
    """One folder."""

    def __init__(
        self,
        *,
        change_storage_config: ChangeStorageConfig,
        remove_storage_config: RemoveStorageConfig,
        offload: Offload,
    ) -> None:
        self._change = change_storage_config
        self._remove = remove_storage_config
        self._offload = offload

    async def on_patch(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, config_id: str
    ) -> None:
        wanted = read_id(config_id)
        read_query(req, NoQuery)
        body = await read_body(req, ChangeStorageConfigRequest)
        change = StorageConfigChange(time_zone=body.time_zone, is_active=body.is_active)
        show(resp, StorageConfigView.of(await self._offload(self._change, wanted, change)))

    async def on_delete(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, config_id: str
    ) -> None:
        wanted = read_id(config_id)
        read_query(req, NoQuery)
        await self._offload.patiently(self._remove, wanted)
        resp.status = HTTPStatus.NO_CONTENT.value


class AllowMissingResource:
    """Letting one held-back crawl through."""

    def __init__(
        self, *, allow_missing: AllowMissing, read_work: ReadWork, offload: Offload
    ) -> None:
        self._allow = allow_missing
        self._read = read_work
        self._offload = offload

    async def on_post(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, config_id: str
    ) -> None:
        wanted = read_id(config_id)
        read_query(req, NoQuery)
        item = await self._offload(self._allowed, wanted, caller_of(req).user.id)
        show(resp, item, HTTPStatus.ACCEPTED)
        resp.location = f"/api/v1/admin/work-items/{item.id}"

    def _allowed(self, config_id: UUID, caller_id: UUID) -> WorkItemDetailView:
        item_id = self._allow(config_id, requested_by=caller_id)
        return WorkItemDetailView.of_read(self._read(item_id))
