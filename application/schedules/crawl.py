"""Each active storage config is crawled again and again."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from typing_extensions import override

from application.payloads import CrawlPayload, crawl_key
from application.schedules.schedule import Schedule, Slot


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlSchedule(Schedule):
    every: timedelta

    @override
    def interval(self) -> timedelta:
        return self.every

    @override
    def slots(self, scopes: Sequence[UUID]) -> Iterable[Slot]:
        return [
            Slot(
                payload=CrawlPayload(storage_config_id=scope),
                dedup_key=crawl_key(scope),
                scope=scope,
            )
            for scope in scopes
        ]
