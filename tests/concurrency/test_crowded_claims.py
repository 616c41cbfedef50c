"""Sixteen Workers, twenty scopes, and heads that somebody holds."""

import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

import pytest
from sqlalchemy import text

from domain.work.item import WorkItem
from domain.work.outcome import Succeeded
from domain.work.progress import NO_PROGRESS
from tests.concurrency.crowd import all_at_once, held_row
from tests.contracts.harness import PostgresPorts, claim_request

pytestmark = [pytest.mark.postgres, pytest.mark.slow]
SCOPES = 20
A_SCOPE = 60
HELD = "SELECT FROM work_items WHERE id = ANY(:ids) FOR UPDATE"


@dataclass(frozen=True)
class Claim:
    """When it was asked for and answered, and what it got."""

    began: float
    ended: float
    item: WorkItem


def filled(ports: PostgresPorts) -> list[UUID]:
    """The scopes; their items were asked for in turns, some in the same instant."""
    scopes = [ports.add_config() for _ in range(SCOPES)]
    ports.run(
        "INSERT INTO work_items (id, kind, payload, storage_config_id, requested_at)"
        " SELECT gen_random_uuid(), 'Crawl', '{}', s.id,"
        " statement_timestamp() + (n / 2 * 20 + s.place) * interval '1 microsecond'"
        " FROM generate_series(1, :count) n,"
        " unnest(CAST(:scopes AS uuid[])) WITH ORDINALITY AS s (id, place)",
        count=A_SCOPE,
        scopes=scopes,
    )
    return scopes


def heads(ports: PostgresPorts) -> list[UUID]:
    with ports.engine.connect() as connection:
        return list(
            connection.execute(
                text(
                    "SELECT DISTINCT ON (storage_config_id) id FROM work_items"
                    " ORDER BY storage_config_id, requested_at, id"
                )
            ).scalars()
        )


def claim_all(ports: PostgresPorts) -> list[Claim]:
    claims: list[Claim] = []
    while True:
        began = time.monotonic()
        item = ports.claim()
        if item is None:
            return claims
        claims.append(Claim(began, time.monotonic(), item))


def chain_all(ports: PostgresPorts) -> list[Claim]:
    """As a Worker does: each claim but the first comes with the outcome before it, while it can."""
    claims: list[Claim] = []
    request = claim_request()
    began, item = time.monotonic(), ports.execution.claim(request)
    while item is not None:
        claims.append(Claim(began, time.monotonic(), item))
        began = time.monotonic()
        _, item = ports.execution.finish_and_claim(item.tag(), Succeeded({}), NO_PROGRESS, request)
        if item is None:
            began, item = time.monotonic(), ports.execution.claim(request)
    return claims


@pytest.mark.parametrize("take_all", [claim_all, chain_all])
@pytest.mark.parametrize("workers", [8, 16])
@pytest.mark.parametrize("are_heads_held", [False, True])
def test_a_crowd_takes_each_item_once_in_the_order_of_its_scope_and_leaves_none(
    ports: PostgresPorts,
    workers: int,
    are_heads_held: bool,
    take_all: Callable[[PostgresPorts], list[Claim]],
) -> None:
    filled(ports)
    held = heads(ports) if are_heads_held else []
    with held_row(ports.engine, HELD, ids=held):
        crowd = all_at_once([lambda: take_all(ports)] * workers)
    claims = [claim for one in crowd for claim in one]
    taken = [claim.item.id for claim in claims]
    assert len(set(taken)) == len(taken) == SCOPES * A_SCOPE - len(held)
    assert set(taken).isdisjoint(held)
    assert overtaken(claims) == []


def overtaken(claims: list[Claim]) -> list[Claim]:
    """Claims that got an older item of a scope than a claim that had ended before they began."""
    scopes = defaultdict(list)
    for claim in claims:
        scopes[claim.item.storage_config_id].append(claim)
    return [
        late
        for of_one in scopes.values()
        for late in of_one
        for early in of_one
        if early.ended < late.began and order(early) > order(late)
    ]


def order(claim: Claim) -> tuple[object, UUID]:
    return claim.item.requested_at, claim.item.id


@pytest.mark.parametrize("take_all", [claim_all, chain_all])
def test_claims_that_do_not_overlap_go_by_request_over_all_scopes(
    ports: PostgresPorts, take_all: Callable[[PostgresPorts], list[Claim]]
) -> None:
    filled(ports)
    claims = take_all(ports)
    assert [order(claim) for claim in claims] == sorted(order(claim) for claim in claims)
    assert len(claims) == SCOPES * A_SCOPE
