"""The product's own statements as pgbench runs them: the limit that PostgreSQL sets."""

import json
from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from adapters.postgres.hot_statement import HotStatement
from adapters.postgres.work_item_execution import BEAT, CLAIM, FINISH, FINISH_AND_CLAIM
from adapters.postgres.work_queue import INSERT_AT_ONCE
from domain.work.transitions import Transition

NO_OP = {"kind": "NoOp"}
LEASE = "interval '60 seconds'"
SUCCESS = {
    "item_id": ":id",
    "my_attempt": ":attempt",
    "progress_done": "NULL",
    "progress_total": "NULL",
    "progress_note": "NULL",
    "result": "'{}'",
}
NUMBERED = "lpad(to_hex({number}::int), 32, '0')::uuid"


def enqueue_script() -> str:
    return _inlined(
        INSERT_AT_ONCE,
        {
            "id": "gen_random_uuid()",
            "kind": "'NoOp'",
            "payload": f"'{json.dumps(NO_OP)}'",
            "storage_config_id": "NULL",
            "dedup_key": "NULL",
            "requested_by": "NULL",
        },
    )


def claim_script(
    floor: datetime, kinds: tuple[str, ...] = ("NoOp",), user_id: UUID | None = None
) -> str:
    """`floor` as a Worker would know it: when the oldest item that waits was asked for."""
    return _inlined(CLAIM, _wanted(floor, kinds, user_id))


def _wanted(floor: datetime, kinds: tuple[str, ...], user_id: UUID | None) -> dict[str, str]:
    return {
        "worker": "'all@bench'",
        "lease": LEASE,
        "floor": f"'{floor}'::timestamptz",
        "asleep": "'{}'",
        "user_id": f"'{user_id}'" if user_id else "NULL",
        "kinds": "ARRAY[" + ", ".join(f"'{kind}'" for kind in kinds) + "]",
    }


def pair_script(floor: datetime) -> str:
    """Claim one and succeed it, in two statements."""
    finish = _inlined(FINISH[Transition.SUCCEED], SUCCESS)
    return claim_script(floor).rstrip(";\n") + " \\gset\n" + finish


def chain_script(floor: datetime) -> str:
    """Succeed the last one and claim the next, as a Worker does; variables id and attempt."""
    both = _inlined(
        FINISH_AND_CLAIM[Transition.SUCCEED], {**SUCCESS, **_wanted(floor, ("NoOp",), None)}
    )
    return both.rstrip(";\n") + " \\gset\n"


def beat_script(items: int) -> str:
    """A heartbeat without news of one of the items that `running_items` made."""
    beat = _inlined(
        BEAT,
        {
            "item_id": NUMBERED.format(number=":number"),
            "my_attempt": "1",
            "lease": LEASE,
            "progress_done": "NULL",
            "progress_total": "NULL",
            "progress_note": "NULL",
        },
    )
    return f"\\set number random(1, {items})\n{beat}"


def running_items(items: int) -> str:
    """INSERT of so many running items, whose ids are numbered."""
    return (
        "INSERT INTO work_items (id, kind, payload, status, attempt, claimed_by, started_at,"
        f" lease_until) SELECT {NUMBERED.format(number='n')}, 'NoOp', '{{}}', 'Running', 1, 'w',"
        " clock_timestamp(), clock_timestamp() + interval '1 hour'"
        f" FROM generate_series(1, {items}) n"
    )


def _inlined(statement: HotStatement, values: Mapping[str, str]) -> str:
    """pgbench has no types for its parameters; what is the same in each call stands in the text."""
    constants = {
        name: f"'{value}'" if isinstance(value, str) else str(value)
        for name, value in statement.constants.items()
        if value is not None
    }
    text = statement.text
    for name, value in {**_intervals(constants), **values}.items():
        text = text.replace(f"%({name})s", value)
    return " ".join(text.split()) + ";\n"


def _intervals(constants: Mapping[str, str]) -> dict[str, str]:
    return {
        name: f"interval '{value}'" if ":" in value else value for name, value in constants.items()
    }
