"""Users, for admins."""

from http import HTTPStatus

import falcon.asgi

from application.use_cases.manage_users import (
    AddUser,
    ChangeUser,
    ListUsers,
    RemoveUser,
    RequestedUserChange,
)
from entrypoints.api.answers import show
from entrypoints.api.dto import (
    AddUserRequest,
    ChangeUserRequest,
    NoQuery,
    PageQuery,
    UserPageView,
    UserView,
)
from entrypoints.api.offload import Offload
from entrypoints.api.reading import read_body, read_id, read_query


class UsersResource:
    """The list, and adding to it."""

    def __init__(self, *, list_users: ListUsers, add_user: AddUser, offload: Offload) -> None:
        self._list = list_users
        self._add = add_user
        self._offload = offload

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        query = read_query(req, PageQuery)
        show(resp, UserPageView.of(await self._offload(self._list, query.request()), query))

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        read_query(req, NoQuery)
        body = await read_body(req, AddUserRequest)
        user = await self._offload(
            self._add,
            name=body.name,
            email=body.email,
            password=body.password,
            is_admin=body.is_admin,
        )
        show(resp, UserView.of(user), HTTPStatus.CREATED)


class UserResource:
    """One user."""

    def __init__(
        self, *, change_user: ChangeUser, remove_user: RemoveUser, offload: Offload
    ) -> None:
        self._change = change_user
        self._remove = remove_user
        self._offload = offload

    async def on_patch(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, user_id: str
    ) -> None:
        wanted = read_id(user_id)
        read_query(req, NoQuery)
        body = await read_body(req, ChangeUserRequest)
        change = RequestedUserChange(
            name=body.name,
            email=body.email,
            password=body.password,
            is_admin=body.is_admin,
            is_disabled=body.is_disabled,
        )
        show(resp, UserView.of(await self._offload(self._change, wanted, change)))

    async def on_delete(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, user_id: str
    ) -> None:
        wanted = read_id(user_id)
        read_query(req, NoQuery)
        await self._offload.patiently(self._remove, wanted)
        resp.status = HTTPStatus.NO_CONTENT.value
