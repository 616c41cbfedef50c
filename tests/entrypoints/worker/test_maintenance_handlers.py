"""The maintenance kinds on a real database: what they delete, and that a second run converges."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from sqlalchemy import Engine, text

from adapters.postgres.expired_token_purger import PostgresExpiredTokenPurger
from application.payloads import TokenCleanupPayload, WorkItemRetentionPayload
from application.ports.work_context import WorkCancelled, WorkContext
from domain.work.attempt import AttemptTag, ClaimLost
from domain.work.kind import WorkKind
from domain.work.outcome import Succeeded
from domain.work.progress import NO_PROGRESS
from entrypoints.worker.handlers.token_cleanup import TokenCleanupHandler
from entrypoints.worker.handlers.work_item_retention import WorkItemRetentionHandler
from tests.contracts.harness import PostgresPorts
from tests.fakes.work_context import InMemoryProgress, context_of

pytestmark = pytest.mark.postgres
MONTH = timedelta(days=30)


@pytest.fixture
def ports(engine: Engine) -> PostgresPorts:
    return PostgresPorts(engine=engine)


def running(ports: PostgresPorts, kind: WorkKind, stop_after: int | None = None) -> WorkContext:
    ports.enqueue(kind)
    return context_of(ports.claimed(), stop_after)


def snapshots(context: WorkContext) -> list[object]:
    assert isinstance(context.progress, InMemoryProgress)
    return list(context.progress.snapshots)


# ---------------------------------------------------------------- TokenCleanup


@pytest.fixture
def cleanup(engine: Engine) -> TokenCleanupHandler:
    return TokenCleanupHandler(tokens=PostgresExpiredTokenPurger(engine=engine), batch_size=2)


def add_tokens(ports: PostgresPorts, count: int, expires_in: timedelta) -> None:
    user = ports.add_user()
    for _ in range(count):
        ports.run(
            "INSERT INTO refresh_tokens (id, user_id, family_id, token_hash, expires_at) VALUES"
            " (gen_random_uuid(), :user, gen_random_uuid(),"
            " sha256(gen_random_uuid()::text::bytea), clock_timestamp() + :span)",
            user=user,
            span=expires_in,
        )


def tokens_left(ports: PostgresPorts) -> int:
    with ports.engine.connect() as connection:
        return int(connection.execute(text("SELECT count(*) FROM refresh_tokens")).scalar_one())


def test_expired_tokens_go_in_batches_and_living_ones_stay(
    ports: PostgresPorts, cleanup: TokenCleanupHandler
) -> None:
    add_tokens(ports, 5, -timedelta(seconds=1))
    add_tokens(ports, 2, timedelta(minutes=1))
    context = running(ports, WorkKind.TOKEN_CLEANUP)
    assert cleanup(TokenCleanupPayload(), context) == {"deleted": 5}
    assert tokens_left(ports) == 2
    assert snapshots(context) == [(2, None, None), (4, None, None), (5, None, None)]


def test_a_second_cleanup_converges(ports: PostgresPorts, cleanup: TokenCleanupHandler) -> None:
    add_tokens(ports, 3, -timedelta(seconds=1))
    context = running(ports, WorkKind.TOKEN_CLEANUP)
    cleanup(TokenCleanupPayload(), context)
    assert cleanup(TokenCleanupPayload(), context) == {"deleted": 0}


def test_a_cancelled_cleanup_says_how_far_it_came(
    ports: PostgresPorts, cleanup: TokenCleanupHandler
) -> None:
    add_tokens(ports, 5, -timedelta(seconds=1))
    context = running(ports, WorkKind.TOKEN_CLEANUP, stop_after=1)
    with pytest.raises(WorkCancelled) as stopped:
        cleanup(TokenCleanupPayload(), context)
    assert stopped.value.partial == {"deleted": 2}
    assert tokens_left(ports) == 3


def test_a_cleanup_that_lost_its_claim_deletes_nothing(
    ports: PostgresPorts, cleanup: TokenCleanupHandler
) -> None:
    add_tokens(ports, 3, -timedelta(seconds=1))
    context = running(ports, WorkKind.TOKEN_CLEANUP)
    ports.execution.release(context.tag, None)
    with pytest.raises(ClaimLost):
        cleanup(TokenCleanupPayload(), context)
    assert tokens_left(ports) == 3


# ---------------------------------------------------------------- WorkItemRetention


@pytest.fixture
def retention(ports: PostgresPorts) -> WorkItemRetentionHandler:
    return WorkItemRetentionHandler(items=ports.purger, retention=MONTH, batch_size=2)


def finished(ports: PostgresPorts, count: int) -> list[UUID]:
    ids = []
    for _ in range(count):
        ids.append(ports.enqueue())
        ports.execution.finish(ports.claimed(), Succeeded({}), NO_PROGRESS)
    return ids


def add_result_row(ports: PostgresPorts, item_id: UUID) -> None:
    ports.run(
        "INSERT INTO crawl_failures (work_item_id, attempt, path, display_path, reason, message)"
        " VALUES (:id, 1, 'p', 'p', 'r', 'm')",
        id=item_id,
    )


def test_items_of_over_30_days_go_with_their_result_rows(
    ports: PostgresPorts, retention: WorkItemRetentionHandler
) -> None:
    old = finished(ports, 5)
    add_result_row(ports, old[0])
    add_result_row(ports, old[0])
    ports.advance(MONTH + timedelta(minutes=1))
    recent = finished(ports, 2)
    add_result_row(ports, recent[0])
    context = running(ports, WorkKind.WORK_ITEM_RETENTION)
    assert retention(WorkItemRetentionPayload(), context) == {"items": 5, "rows": 2}
    assert [each for each in (*old, *recent) if ports.reader.get(each)] == recent
    assert snapshots(context) == [(2, None, None), (4, None, None), (5, None, None)]


def test_a_second_retention_converges(
    ports: PostgresPorts, retention: WorkItemRetentionHandler
) -> None:
    finished(ports, 3)
    ports.advance(MONTH + timedelta(minutes=1))
    context = running(ports, WorkKind.WORK_ITEM_RETENTION)
    retention(WorkItemRetentionPayload(), context)
    assert retention(WorkItemRetentionPayload(), context) == {"items": 0, "rows": 0}


def test_a_cancelled_retention_says_how_far_it_came(
    ports: PostgresPorts, retention: WorkItemRetentionHandler
) -> None:
    finished(ports, 5)
    ports.advance(MONTH + timedelta(minutes=1))
    context = running(ports, WorkKind.WORK_ITEM_RETENTION, stop_after=1)
    with pytest.raises(WorkCancelled) as stopped:
        retention(WorkItemRetentionPayload(), context)
    assert stopped.value.partial == {"items": 2, "rows": 0}


def test_a_retention_without_a_claim_deletes_nothing(
    ports: PostgresPorts, retention: WorkItemRetentionHandler
) -> None:
    old = finished(ports, 1)
    ports.advance(MONTH + timedelta(minutes=1))
    context = context_of(AttemptTag(item_id=uuid4(), attempt=1))
    with pytest.raises(ClaimLost):
        retention(WorkItemRetentionPayload(), context)
    assert ports.reader.get(old[0]) is not None
