"""Every operation of the API, as the OpenAPI document tells it.

A test compares this table with the routes of the app in both directions.
"""

from entrypoints.api import dto
from entrypoints.api import work_item_views as views
from entrypoints.api.operation import Access, Operation
from entrypoints.api.own_operations import OWN

AUTH = (
    Operation(
        method="post",
        path="/api/v1/auth/login",
        name="logIn",
        summary="Exchange a name or e-mail address and a password for tokens",
        tag="auth",
        access=Access.PUBLIC,
        body=dto.LogInRequest,
        answers={200: dto.TokenView},
        problems=(401, 429),
    ),
    Operation(
        method="post",
        path="/api/v1/auth/refresh",
        name="refresh",
        summary="Exchange a refresh token for new tokens; a used one revokes its family",
        tag="auth",
        access=Access.PUBLIC,
        body=dto.RefreshTokenRequest,
        answers={200: dto.TokenView},
        problems=(401,),
    ),
    Operation(
        method="post",
        path="/api/v1/auth/logout",
        name="logOut",
        summary="Revoke a refresh token and its family",
        tag="auth",
        access=Access.PUBLIC,
        body=dto.RefreshTokenRequest,
        answers={204: None},
    ),
)
USERS = (
    Operation(
        method="get",
        path="/api/v1/admin/users",
        name="listUsers",
        summary="One page of the users, the earliest added first",
        tag="users",
        query=dto.PageQuery,
        answers={200: dto.UserPageView},
    ),
    Operation(
        method="post",
        path="/api/v1/admin/users",
        name="addUser",
        summary="Add a user",
        tag="users",
        body=dto.AddUserRequest,
        answers={201: dto.UserView},
        problems=(409,),
    ),
    Operation(
        method="patch",
        path="/api/v1/admin/users/{user_id}",
        name="changeUser",
        summary="Change a user; disabling it or setting its password ends its log-ins",
        tag="users",
        body=dto.ChangeUserRequest,
        answers={200: dto.UserView},
        problems=(404, 409),
    ),
    Operation(
        method="delete",
        path="/api/v1/admin/users/{user_id}",
        name="removeUser",
        summary="Delete a user with its storage configs and all that hangs on them",
        tag="users",
        answers={204: None},
        problems=(404, 409),
    ),
)
STORAGE_CONFIGS = (
    Operation(
        method="get",
        path="/api/v1/admin/storage-configs",
        name="listStorageConfigs",
        summary="One page of the storage configs, the earliest registered first",
        tag="storage configs",
        query=dto.PageQuery,
        answers={200: dto.StorageConfigPageView},
    ),
    Operation(
        method="post",
        path="/api/v1/admin/storage-configs",
        name="addStorageConfig",
        summary="Register a folder of originals",
        tag="storage configs",
        body=dto.AddStorageConfigRequest,
        answers={201: dto.StorageConfigView},
        problems=(409,),
    ),
    Operation(
        method="patch",
        path="/api/v1/admin/storage-configs/{config_id}",
        name="changeStorageConfig",
        summary="Change a config's time zone, or (de)activate it",
        tag="storage configs",
        body=dto.ChangeStorageConfigRequest,
        answers={200: dto.StorageConfigView},
        problems=(404,),
    ),
    Operation(
        method="delete",
        path="/api/v1/admin/storage-configs/{config_id}",
        name="removeStorageConfig",
        summary="Delete a config with its work items and assets; proxy files stay",
        tag="storage configs",
        answers={204: None},
        problems=(404,),
    ),
)
ALLOW_MISSING = Operation(
    method="post",
    path="/api/v1/admin/storage-configs/{config_id}/allow-missing",
    name="allowMissing",
    summary="Crawl at once, and believe that most or all of the library is missing, once",
    tag="storage configs",
    answers={202: views.WorkItemDetailView},
    problems=(404, 409),
)
WORK_ITEMS = (
    Operation(
        method="get",
        path="/api/v1/admin/work-items",
        name="listWorkItems",
        summary="One page of the work items, the newest request first",
        tag="work items",
        query=views.WorkItemsQuery,
        answers={200: views.WorkItemPageView},
    ),
    Operation(
        method="get",
        path="/api/v1/admin/work-items/{item_id}",
        name="readWorkItem",
        summary="One work item with its whole result and error",
        tag="work items",
        answers={200: views.WorkItemDetailView},
        problems=(404,),
    ),
    Operation(
        method="post",
        path="/api/v1/admin/work-items/{item_id}",
        name="enqueueNothing",
        summary="Where a kind is enqueued by its name; admins can enqueue none so far",
        tag="work items",
        answers={},
        problems=(404,),
    ),
    Operation(
        method="post",
        path="/api/v1/admin/work-items/{item_id}/cancel",
        name="cancelWorkItem",
        summary="Cancel a queued item at once (200), or ask a running one's Worker to (202)",
        tag="work items",
        answers={200: views.WorkItemDetailView, 202: views.WorkItemDetailView},
        problems=(404,),
        special_problems={409: views.FinishedProblem},
    ),
    Operation(
        method="get",
        path="/api/v1/admin/work-items/events",
        name="followWorkItems",
        summary="Follow the work items live, from the newest change or from Last-Event-ID on",
        tag="work items",
        answers={200: views.EventStreamText},
        media_type="text/event-stream",
        headers=(("Last-Event-ID", "the cursor of a list, or the id of the last event"),),
    ),
)
HEALTH = (
    Operation(
        method="get",
        path="/api/v1/healthz",
        name="isAlive",
        summary="The host is alive",
        tag="health",
        access=Access.PUBLIC,
        answers={200: dto.HealthView},
        touches_database=False,
    ),
    Operation(
        method="get",
        path="/api/v1/readyz",
        name="isReady",
        summary="The database answers and its schema is this release's",
        tag="health",
        access=Access.PUBLIC,
        answers={200: dto.HealthView},
    ),
    Operation(
        method="get",
        path="/api/v1/openapi.json",
        name="describe",
        summary="This document",
        tag="health",
        access=Access.PUBLIC,
        answers={200: dto.DocumentView},
        touches_database=False,
    ),
)
OPERATIONS = (*AUTH, *USERS, *STORAGE_CONFIGS, ALLOW_MISSING, *WORK_ITEMS, *OWN, *HEALTH)
