"""The statement that ends an item and takes the next one: one commit instead of two."""

from sqlalchemy import (
    ColumnClause,
    Select,
    bindparam,
    literal,
    literal_column,
    select,
    true,
    update,
)
from sqlalchemy.sql.dml import ReturningUpdate

from adapters.postgres.claim_statement import claim_statement
from adapters.postgres.tables import WORK_ITEMS
from adapters.postgres.transition_sql import allowed, assignments
from domain.work.status import WorkStatus
from domain.work.transitions import Transition

_ROW = WORK_ITEMS.c
ENDED_AS = "ended_as"


def finish_statement(transition: Transition) -> ReturningUpdate[tuple[WorkStatus]]:
    """UPDATE … RETURNING status; parameters item_id, my_attempt, and those of the transition."""
    return (
        update(WORK_ITEMS)
        .where(_ROW.id == bindparam("item_id"), allowed(transition))
        .values(assignments(transition))
        .returning(_ROW.status)
    )


def finish_and_claim_statement(transition: Transition) -> Select[tuple[object, ...]]:
    """One row: `ended_as`, the status that was written, and the claimed row. Each may be NULL.

    The item in hand is locked before one is looked for, and that look passes what is locked: so
    nobody who waits for us is waited for. Parameters as both statements have them.
    """
    finished = finish_statement(transition).cte("finished")
    claimed = claim_statement(after="finished").cte("claimed")
    ended_as = select(finished.c.status).scalar_subquery().label(ENDED_AS)
    one_row = select(literal(1)).subquery()
    row: ColumnClause[object] = literal_column("claimed.*")
    return select(ended_as, row).select_from(one_row.outerjoin(claimed, true()))
