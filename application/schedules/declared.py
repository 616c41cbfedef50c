"""Every periodic kind there is. Workers enqueue by it, and the API tells what is due by it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from application.payloads import TokenCleanupPayload, WorkItemRetentionPayload
from application.schedules.crawl import CrawlSchedule
from application.schedules.schedule import Schedule
from application.schedules.unscoped import UnscopedSchedule


@dataclass(frozen=True, slots=True, kw_only=True)
class Intervals:
    """How long after its last end each periodic kind is due again."""

    token_cleanup: timedelta
    work_item_retention: timedelta
    crawl: timedelta


def declared_schedules(every: Intervals) -> Sequence[Schedule]:
    """One schedule for each periodic kind."""
    return (
        UnscopedSchedule(
            payload=TokenCleanupPayload(), dedup_key="token-cleanup", every=every.token_cleanup
        ),
        UnscopedSchedule(
            payload=WorkItemRetentionPayload(),
            dedup_key="work-item-retention",
            every=every.work_item_retention,
        ),
        CrawlSchedule(every=every.crawl),
    )
