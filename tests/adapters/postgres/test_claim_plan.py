"""How PostgreSQL runs the claim behind a million items of others: its plan and its buffers.

In front lie also items of a kind that nobody knows, in a scope that everybody serves.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from adapters.postgres.claim_floor import FROM_THE_START
from adapters.postgres.hot_statement import HotStatement
from adapters.postgres.work_item_execution import CLAIM, FINISH_AND_CLAIM
from domain.work.kind import WorkKind
from domain.work.transitions import Transition
from tests.postgres_server import TestServer

pytestmark = [pytest.mark.postgres, pytest.mark.slow, pytest.mark.timeout(300)]
FOREIGN = {"fresh": 1_000_000, "stale": 100_000}
"""By what the planner's statistics know: the queue as it is, or one that was empty."""
SCOPES = (1, 10, 1_000)
# A probe of the claim's index reads its root, a branch and a leaf.
BUFFERS_A_PROBE = 4
PROBES_A_PAIR = 2
BUFFERS_BESIDE = 150
"""The scopes themselves, the row that is claimed, and its new entries in nine indexes."""

HISTORY = """
INSERT INTO work_items (id, kind, payload, requested_at, status, attempt, finished_at)
SELECT gen_random_uuid(), 'TokenCleanup', '{}', clock_timestamp() - interval '2 days',
    'Succeeded', 1, clock_timestamp() - interval '2 days'
FROM generate_series(1, 10000)
"""
POPULATION = """
INSERT INTO users (id, name, email, password_hash)
SELECT gen_random_uuid(), 'user ' || n, 'user ' || n, '' FROM unnest(%(counts)s::int[]) AS n;
INSERT INTO storage_configs (id, user_id, root_path, time_zone)
SELECT gen_random_uuid(), u.id, '/data/' || u.name || '/' || c, 'UTC'
FROM users u CROSS JOIN LATERAL generate_series(1, substr(u.name, 6)::int) AS c;
INSERT INTO users (id, name, email, password_hash)
VALUES (gen_random_uuid(), 'stranger', 'stranger', '');
INSERT INTO storage_configs (id, user_id, root_path, time_zone)
SELECT gen_random_uuid(), id, '/data/stranger', 'UTC' FROM users WHERE name = 'stranger';
INSERT INTO work_items (id, kind, payload, storage_config_id, requested_at)
SELECT gen_random_uuid(), 'Crawl', '{}', c.id, clock_timestamp() - interval '1 day'
FROM storage_configs c CROSS JOIN generate_series(1, %(foreign)s)
WHERE c.root_path = '/data/stranger';
INSERT INTO work_items (id, kind, payload, requested_at)
SELECT gen_random_uuid(), 'OfTheNextRelease', '{}', clock_timestamp() - interval '1 day'
FROM generate_series(1, %(foreign)s / 5);
INSERT INTO work_items (id, kind, payload, storage_config_id)
SELECT gen_random_uuid(), 'Crawl', '{}', id FROM storage_configs
WHERE root_path <> '/data/stranger';
"""


@dataclass(frozen=True)
class Node:
    """One node of a plan."""

    kind: str
    relation: str | None
    index: str | None


@dataclass(frozen=True)
class Plan:
    nodes: list[Node]
    buffers: int
    claimed: int


@pytest.fixture(params=FOREIGN)
def crowded(server: TestServer, request: pytest.FixtureRequest) -> Iterator[psycopg.Connection]:
    with server.database() as address:
        direct = server.at(address.dbname)
        with psycopg.connect(direct.conninfo(), autocommit=True) as connection:
            parameters = {"counts": list(SCOPES), "foreign": FOREIGN[request.param]}
            connection.execute("ALTER TABLE work_items SET (autovacuum_enabled = off)")
            connection.execute(HISTORY)
            connection.execute("ANALYZE work_items")
            for statement in POPULATION.strip().split(";\n"):
                connection.execute(statement.encode(), parameters)
            if request.param == "fresh":
                connection.execute("VACUUM (ANALYZE)")
            yield connection


def explained(
    connection: psycopg.Connection, user_id: UUID | None, statement: HotStatement = CLAIM
) -> Plan:
    parameters = {
        **statement.constants,
        "user_id": user_id,
        **FROM_THE_START.parameters(),
        "kinds": sorted(WorkKind),
        "worker": "all@test",
        "lease": timedelta(seconds=60),
        "result": None,
    }
    row = connection.execute(
        f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement.text}".encode(), parameters
    ).fetchone()
    assert row is not None
    root = row[0][0]["Plan"]
    return Plan(
        nodes=list(nodes_of(root)),
        buffers=root["Shared Hit Blocks"] + root["Shared Read Blocks"],
        claimed=root["Actual Rows"],
    )


def nodes_of(plan: dict[str, Any]) -> Iterator[Node]:
    yield Node(plan["Node Type"], plan.get("Relation Name"), plan.get("Index Name"))
    for child in plan.get("Plans", []):
        yield from nodes_of(child)


def test_a_claim_reads_heads_and_no_backlog(crowded: psycopg.Connection) -> None:
    """One test, so that the crowd is made once."""
    for scopes in SCOPES:
        row = crowded.execute("SELECT id FROM users WHERE name = %s", [f"user {scopes}"]).fetchone()
        assert row is not None
        plan = explained(crowded, row[0])
        assert_goes_by_its_indexes(plan)
        assert_reads_heads_alone(plan, scopes + 1)
        # The same look, after an outcome that finds no item to end.
        chained = explained(crowded, row[0], FINISH_AND_CLAIM[Transition.SUCCEED])
        assert_goes_by_its_indexes(chained)
        assert_reads_heads_alone(chained, scopes + 1)
    # Everyone's takes the stranger's first.
    assert_reads_heads_alone(explained(crowded, None), sum(SCOPES) + 2)


def assert_goes_by_its_indexes(plan: Plan) -> None:
    reads = [node for node in plan.nodes if node.relation == "work_items"]
    assert {node.index for node in reads if node.kind != "ModifyTable"} == {
        "work_items_claim",
        "work_items_given_back",
        "work_items_pkey",
    }
    assert {node.kind for node in reads} <= {"Index Scan", "Index Only Scan", "ModifyTable"}


def assert_reads_heads_alone(plan: Plan, scopes: int) -> None:
    assert plan.claimed == 1
    probes = PROBES_A_PAIR * scopes * len(WorkKind)
    assert plan.buffers <= BUFFERS_A_PROBE * probes + BUFFERS_BESIDE
