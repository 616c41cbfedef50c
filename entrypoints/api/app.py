"""The falcon application: which resource answers which route, and what stands in front."""

from typing import TypeAlias

import falcon.asgi
from falcon.asgi import Request, Response

from domain.errors import DomainError
from entrypoints.api.access import Authentication
from entrypoints.api.container import ApiContainer
from entrypoints.api.live.lifespan import LiveView
from entrypoints.api.problems import tell_domain_error, tell_http_error, tell_unexpected
from entrypoints.api.router import HeadingRouter
from entrypoints.api.security_headers import SecurityHeaders

App: TypeAlias = falcon.asgi.App[Request, Response]


def create_app(container: ApiContainer) -> App:
    """The application over the container's use cases; the tests build it as the host does."""
    app: App = falcon.asgi.App(router=HeadingRouter())
    app.add_middleware(SecurityHeaders())
    app.add_middleware(LiveView(container.hub()))
    app.add_middleware(Authentication(container.authenticate(), container.offload()))
    app.add_error_handler(Exception, tell_unexpected)
    app.add_error_handler(DomainError, tell_domain_error)
    app.set_error_serializer(tell_http_error)
    _add_auth(app, container)
    _add_admin(app, container)
    _add_own(app, container)
    _add_memories(app, container)
    _add_health(app, container)
    _add_admin_page(app, container)
    return app


def _add_admin_page(app: App, container: ApiContainer) -> None:
    page = container.admin_page_resource()
    app.add_route("/admin/", page)
    app.add_route("/admin/{name}", page)
    for typed in ("/", "/admin"):
        app.add_route(typed, container.to_admin_page())


def _add_auth(app: App, container: ApiContainer) -> None:
    auth = container.auth_resource()
    for name in ("login", "refresh", "logout"):
        app.add_route(f"/api/v1/auth/{name}", auth, suffix=name)


def _add_admin(app: App, container: ApiContainer) -> None:
    admin = "/api/v1/admin"
    app.add_route(f"{admin}/users", container.users_resource())
    app.add_route(f"{admin}/users/{{user_id}}", container.user_resource())
    app.add_route(f"{admin}/work-items", container.work_items_resource())
    app.add_route(f"{admin}/work-items/events", container.work_item_events_resource())
    app.add_route(f"{admin}/work-items/counts", container.work_item_counts_resource())
    app.add_route(f"{admin}/work-items/{{item_id}}", container.work_item_resource())
    app.add_route(f"{admin}/work-items/{{item_id}}/cancel", container.cancel_resource())
    app.add_route(f"{admin}/schedules", container.schedules_resource())
    app.add_route(f"{admin}/workers", container.workers_resource())
    configs = f"{admin}/storage-configs"
    app.add_route(configs, container.storage_configs_resource())
    app.add_route(f"{configs}/{{config_id}}", container.storage_config_resource())
    app.add_route(f"{configs}/{{config_id}}/allow-missing", container.allow_missing_resource())


def _add_own(app: App, container: ApiContainer) -> None:
    configs = "/api/v1/me/storage-configs"
    app.add_route(configs, container.own_storage_configs_resource())
    app.add_route(f"{configs}/{{config_id}}/crawl-failures", container.crawl_failures_resource())


def _add_memories(app: App, container: ApiContainer) -> None:
    app.add_route("/api/v1/me/memories", container.memories_resource())
    asset = "/api/v1/me/assets/{asset_id}"
    app.add_route(f"{asset}/thumbnail", container.thumbnail_resource())
    app.add_route(f"{asset}/preview", container.preview_resource())


def _add_health(app: App, container: ApiContainer) -> None:
    app.add_route("/api/v1/healthz", container.alive_resource())
    app.add_route("/api/v1/readyz", container.ready_resource())
    app.add_route("/api/v1/openapi.json", container.openapi_resource())
