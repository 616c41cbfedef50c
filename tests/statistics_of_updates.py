"""What the server counts of the updates of work items."""

from sqlalchemy import Engine, text


def updates(engine: Engine) -> tuple[int, int]:
    """All updates of work_items so far, and the HOT ones among them."""
    with engine.connect() as connection:
        connection.execute(text("SELECT pg_stat_force_next_flush()"))
        connection.commit()
        row = connection.execute(
            text(
                "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables"
                " WHERE relname = 'work_items'"
            )
        ).one()
        return row.n_tup_upd, row.n_tup_hot_upd
