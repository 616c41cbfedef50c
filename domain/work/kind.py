"""The kinds of work there are. Adding a kind starts with one line here."""

from enum import StrEnum


class WorkKind(StrEnum):
    TOKEN_CLEANUP = "TokenCleanup"  # noqa: S105  # no password
    WORK_ITEM_RETENTION = "WorkItemRetention"
    CRAWL = "Crawl"
