"""The schedule of a kind that runs once for the whole installation."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from typing_extensions import override

from application.payloads import Payload
from application.schedules.schedule import Schedule, Slot


@dataclass(frozen=True, slots=True, kw_only=True)
class UnscopedSchedule(Schedule):
    payload: Payload
    dedup_key: str
    every: timedelta

    @override
    def interval(self) -> timedelta:
        return self.every

    @override
    def slots(self, scopes: Sequence[UUID]) -> Iterable[Slot]:
        return [Slot(payload=self.payload, dedup_key=self.dedup_key)]
