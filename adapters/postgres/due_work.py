"""Which dedup keys are due: one query for all, from the index on (dedup_key, finished_at)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import ARRAY, Engine, Interval, Text, func, literal, or_, select
from typing_extensions import override

from adapters.postgres.connections import single_statement
from adapters.postgres.tables import WORK_ITEMS
from application.ports.due_work import DueWork
from domain.work.transitions import Transition, sources_of

_ROW = WORK_ITEMS.c
_LIVE = sorted(sources_of(Transition.CLAIM, Transition.HEARTBEAT))


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresDueWork(DueWork):
    engine: Engine

    @override
    def due(self, intervals: Mapping[str, timedelta]) -> frozenset[str]:
        keys = literal(list(intervals), ARRAY(Text))
        spans = literal(list(intervals.values()), ARRAY(Interval))
        slot = func.unnest(keys, spans).table_valued("key", "span").render_derived("slot")
        recently = func.clock_timestamp() - slot.c.span
        not_due = select(_ROW.id).where(
            _ROW.dedup_key == slot.c.key,
            or_(_ROW.status.in_(_LIVE), _ROW.finished_at > recently),
        )
        with single_statement(self.engine) as connection:
            found = connection.execute(select(slot.c.key).where(~not_due.exists()))
            return frozenset(found.scalars())
