"""The engines of a host: the same server, with limits for what each is used for."""

from typing import Any

from dependency_injector import containers, providers

from adapters.postgres.engine import ConnectionLimits, PostgresAddress, create_postgres_engine
from entrypoints.common.settings import Settings

# The keeper's main loop, its three loops of housekeeping, and whoever asks whether it is ready.
QUEUE_POOL = 5


def _engine(
    address: providers.Provider[PostgresAddress],
    application_name: providers.Provider[str],
    usual: providers.Factory[ConnectionLimits],
    **others: Any,
) -> providers.ThreadSafeSingleton[Any]:
    """One engine for all who ask, with the usual limits unless others are named."""
    limits = providers.Factory(ConnectionLimits, **{**usual.kwargs, **others})
    return providers.ThreadSafeSingleton(create_postgres_engine, address, limits, application_name)


class DatabaseContainer(containers.DeclarativeContainer):
    settings = providers.Dependency(instance_of=Settings)
    application_name = providers.Dependency(instance_of=str)

    _connection = settings.provided.postgres_connection
    _queue = settings.provided.queue
    address = providers.Factory(
        PostgresAddress,
        host=settings.provided.database_host.call(),
        port=_connection.port,
        dbname=_connection.dbname,
        user=_connection.user,
        password=_connection.secret.call(),
        is_pooled=_connection.is_pooled,
    )
    _usual = providers.Factory(
        ConnectionLimits,
        connect=_connection.connect_timeout_seconds,
        lock=_connection.lock_timeout_seconds,
        answer_slack=_connection.answer_slack_seconds,
        pool_wait=_connection.pool_timeout_seconds,
    )
    queue_engine = _engine(
        address,
        application_name,
        _usual,
        statement=_queue.transaction_timeout_seconds,
        transaction=_queue.transaction_timeout_seconds,
        pool_size=QUEUE_POOL,
    )
    beat_engine = _engine(
        address,
        application_name,
        _usual,
        connect=_queue.heartbeat_timeout_seconds,
        statement=_queue.heartbeat_timeout_seconds,
        lock=_queue.heartbeat_timeout_seconds,
        transaction=_queue.transaction_timeout_seconds,
        pool_size=1,
        pool_wait=_queue.heartbeat_timeout_seconds,
    )
    # A migration may rewrite a large table, and nobody waits for an answer meanwhile.
    migration_engine = _engine(
        address,
        application_name,
        _usual,
        statement=_connection.migration_timeout_seconds,
        lock=_connection.migration_timeout_seconds,
    )
    library_engine = _engine(
        address,
        application_name,
        _usual,
        statement=_connection.statement_timeout_seconds,
        pool_size=_connection.pool_size,
    )
