"""Which queued item a Worker takes: the oldest in its active scopes and kinds that nobody holds.

The heads of each (scope, kind) pair are read from one index, so the cost does not grow with other
scopes' backlogs, with finished items, or with kinds that nobody knows. The lock is taken in the
inner lateral, pair by pair in the order of their heads: picking from a snapshot first and locking
afterwards would answer "nothing to do" under contention while items wait.

The look begins at a floor, or where an item waits that was given back, if that is older.
"""

from sqlalchemy import ARRAY, DateTime, Text, Uuid, bindparam, false, text, update
from sqlalchemy.sql.dml import ReturningUpdate

from adapters.postgres.claim_pairs import ACTIVE_SCOPE, HEAD, IS_QUEUED, LAST_ATTEMPT, pairs
from adapters.postgres.tables import WORK_ITEMS
from adapters.postgres.transition_sql import allowed, assignments
from domain.work.transitions import Transition

# At most one for each storage config and each Worker process, mostly none.
_OLDEST_GIVEN_BACK = f"""
    SELECT given_back.requested_at FROM (
        SELECT item.requested_at, item.kind, item.storage_config_id FROM work_items item
        WHERE (item.status {IS_QUEUED} AND item.attempt > 0 AND item.attempt < {LAST_ATTEMPT}
        ORDER BY item.requested_at, item.id OFFSET 0
    ) given_back
    WHERE given_back.kind = ANY(:kinds) AND (
        given_back.storage_config_id IS NULL
        OR given_back.storage_config_id IN (SELECT active.id FROM ({ACTIVE_SCOPE}) active)
    )
    LIMIT 1
"""  # noqa: S608  # names and constants of ours
_FLOOR = f"SELECT least(coalesce(:floor, '-infinity'), ({_OLDEST_GIVEN_BACK})) AS at"
_BEGINS_AT = """
    CASE WHEN scope.id = ANY(:asleep) THEN '-infinity' ELSE (SELECT floor.at FROM floor) END
"""
_CANDIDATE = """(
    WITH floor AS MATERIALIZED ({floor})
    SELECT taken.id FROM (
        SELECT pair.* FROM ({pairs}) pair
        CROSS JOIN LATERAL ({head}) first ORDER BY first.requested_at, first.id
    ) pair CROSS JOIN LATERAL ({head} FOR UPDATE SKIP LOCKED) taken LIMIT 1
)"""


def claim_statement(after: str | None = None) -> ReturningUpdate[object]:
    """UPDATE … RETURNING the whole claimed row; parameters as Floor has them, and
    user_id, kinds, worker, lease.

    `after`: a part of the same statement that is to be done before the look for an item.
    """
    floor = f"{_FLOOR} FROM (SELECT count(*) FROM {after}) AS done" if after else _FLOOR  # noqa: S608
    candidate = text(
        _CANDIDATE.format(floor=floor, pairs=pairs(ACTIVE_SCOPE, _BEGINS_AT), head=HEAD)
    ).bindparams(
        bindparam("user_id", type_=Uuid),
        bindparam("kinds", type_=ARRAY(Text)),
        bindparam("floor", type_=DateTime(timezone=True)),
        bindparam("asleep", type_=ARRAY(Uuid)),
    )
    return (
        update(WORK_ITEMS)
        # IS NOT FALSE: no index answers that, so that the row is found by its id alone.
        .where(WORK_ITEMS.c.id == candidate, allowed(Transition.CLAIM).is_not(false()))
        .values(assignments(Transition.CLAIM))
        .returning(WORK_ITEMS)
    )
