"""The (scope, kind) pairs that a Worker serves, and the oldest item that waits in one of them."""

from typing import Final

from domain.work.transitions import TABLE, Transition

# Stands for "unscoped" in the index: IS NULL would give no order.
NO_SCOPE: Final = "'00000000-0000-0000-0000-000000000000'::uuid"

# An attempt is never given twice: an item that has used up the numbers waits to be cancelled.
LAST_ATTEMPT: Final = 2**31 - 1

# Written so that only the claim's own indexes can serve it. Statistics taken while the queue was
# empty make the list's look as cheap, which then read everybody's backlog: docs/adr/0014.
IS_QUEUED: Final = f"= '{TABLE[Transition.CLAIM].source}') IS TRUE"

_AWAKE = "config.is_active AND NOT owner.is_disabled"
_CONFIGS = """
    FROM storage_configs config JOIN users owner ON owner.id = config.user_id
    WHERE (:user_id IS NULL OR config.user_id = :user_id)
"""
EVERY_SCOPE: Final = f"SELECT config.id, {_AWAKE} AS is_awake {_CONFIGS}"
ACTIVE_SCOPE: Final = f"SELECT config.id, true AS is_awake {_CONFIGS} AND {_AWAKE}"

HEAD: Final = f"""
    SELECT head.requested_at, head.id FROM work_items head
    WHERE (head.status {IS_QUEUED} AND head.kind || '' = pair.kind
      AND head.attempt < {LAST_ATTEMPT}
      AND coalesce(head.storage_config_id, {NO_SCOPE}) = pair.scope
      AND head.requested_at >= pair.begins_at
    ORDER BY head.requested_at, head.id LIMIT 1
"""  # noqa: S608  # names and constants of ours


def pairs(scopes: str, begins_at: str) -> str:
    """Each of the scopes, and none, with each of the kinds, and where a look into it begins."""
    return f"""
        SELECT scope.id AS scope, scope.is_awake, kinds.kind, {begins_at} AS begins_at
        FROM (SELECT {NO_SCOPE} AS id, true AS is_awake UNION ALL {scopes}) scope
        CROSS JOIN unnest(:kinds) AS kinds (kind)
    """  # noqa: S608  # names and constants of ours
