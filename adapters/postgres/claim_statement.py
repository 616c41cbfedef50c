"""Which queued item a Worker takes: the oldest in its active scopes and kinds that nobody holds.

The heads of each (scope, kind) pair are read from one index, so the cost does not grow with other
scopes' backlogs, with finished items, or with kinds that nobody knows. The lock is taken in the
inner lateral, pair by pair in the order of their heads: picking from a snapshot first and locking
afterwards would answer "nothing to do" under contention while items wait.
"""

from sqlalchemy import ARRAY, Text, Uuid, bindparam, text, update
from sqlalchemy.sql.dml import ReturningUpdate

from adapters.postgres.tables import WORK_ITEMS
from adapters.postgres.transition_sql import allowed, assignments
from domain.work.transitions import TABLE, Transition

# Stands for "unscoped" in the index: IS NULL would give no order.
NO_SCOPE = "'00000000-0000-0000-0000-000000000000'::uuid"

# An attempt is never given twice: an item that has used up the numbers waits to be cancelled.
LAST_ATTEMPT = 2**31 - 1

_HEAD = f"""
    SELECT head.requested_at, head.id FROM work_items head
    WHERE head.status = '{TABLE[Transition.CLAIM].source}' AND head.kind = pair.kind
      AND head.attempt < {LAST_ATTEMPT}
      AND coalesce(head.storage_config_id, {NO_SCOPE}) = pair.scope
    ORDER BY head.requested_at, head.id LIMIT 1
"""  # noqa: S608  # names and constants of ours
_PAIRS = f"""
    SELECT scope.id AS scope, kinds.kind FROM (
        SELECT {NO_SCOPE} AS id
        UNION ALL
        SELECT config.id FROM storage_configs config JOIN users owner ON owner.id = config.user_id
        WHERE config.is_active AND NOT owner.is_disabled
          AND (:user_id IS NULL OR config.user_id = :user_id)
    ) scope CROSS JOIN unnest(:kinds) AS kinds (kind)
"""  # noqa: S608  # names and constants of ours
_CANDIDATE = f"""(
    SELECT taken.id FROM (
        SELECT pair.scope, pair.kind FROM ({_PAIRS}) pair CROSS JOIN LATERAL ({_HEAD}) first
        ORDER BY first.requested_at, first.id
    ) pair CROSS JOIN LATERAL ({_HEAD} FOR UPDATE SKIP LOCKED) taken LIMIT 1
)"""  # noqa: S608  # names and constants of ours


def claim_statement() -> ReturningUpdate[object]:
    """UPDATE … RETURNING the whole claimed row; parameters user_id, kinds, worker, lease."""
    candidate = text(_CANDIDATE).bindparams(
        bindparam("user_id", type_=Uuid), bindparam("kinds", type_=ARRAY(Text))
    )
    return (
        update(WORK_ITEMS)
        .where(WORK_ITEMS.c.id == candidate, allowed(Transition.CLAIM))
        .values(assignments(Transition.CLAIM))
        .returning(WORK_ITEMS)
    )
