"""The operations below `/me`: each user's own, whatever the role."""

from entrypoints.api import dto
from entrypoints.api import own_views as views
from entrypoints.api.memory_views import MemoriesQuery, MemoryPageView
from entrypoints.api.operation import Access, Operation


def _proxy(kind: str, summary: str) -> Operation:
    return Operation(
        method="get",
        path=f"/api/v1/me/assets/{{asset_id}}/{kind}",
        name=f"read{kind.capitalize()}",
        summary=summary,
        tag="own library",
        access=Access.USER,
        answers={200: views.Jpeg, 304: None},
        media_type="image/jpeg",
        headers=(("If-None-Match", "the ETag of an answer that is kept"),),
        problems=(404,),
    )


OWN = (
    Operation(
        method="get",
        path="/api/v1/me/storage-configs",
        name="listOwnStorageConfigs",
        summary="One page of one's own storage configs, the earliest registered first",
        tag="own library",
        access=Access.USER,
        query=dto.PageQuery,
        answers={200: dto.StorageConfigPageView},
    ),
    Operation(
        method="get",
        path="/api/v1/me/storage-configs/{config_id}/crawl-failures",
        name="listCrawlFailures",
        summary="Which files the latest complete crawl could not take; for the owner alone",
        tag="own library",
        access=Access.USER,
        query=dto.CursorQuery,
        answers={200: views.CrawlFailurePageView},
        problems=(403, 404),
    ),
    Operation(
        method="get",
        path="/api/v1/me/memories",
        name="listMemories",
        summary="What one captured on a day of the year, newest year first",
        tag="own library",
        access=Access.USER,
        query=MemoriesQuery,
        answers={200: MemoryPageView},
    ),
    _proxy("thumbnail", "The thumbnail of one's own asset: at most 300 pixels a side"),
    _proxy("preview", "The preview of one's own asset: at most 1,920 pixels a side"),
)
