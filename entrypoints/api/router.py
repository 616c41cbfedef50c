"""The router: whatever answers GET answers HEAD, as monitors of a service and caches ask."""

from typing import Any

from falcon.routing import CompiledRouter
from typing_extensions import override


class HeadingRouter(CompiledRouter):
    """HEAD goes to the responder of GET, and falcon leaves the body out.

    A resource whose answer to GET begins something, like a stream, has a responder of its own.
    """

    @override
    def map_http_methods(self, resource: object, **kwargs: Any) -> Any:
        methods: dict[str, Any] = super().map_http_methods(resource, **kwargs)
        if "GET" in methods:
            methods.setdefault("HEAD", methods["GET"])
        return methods
