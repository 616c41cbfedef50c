"""Wiring of the runner: the process that runs handlers, and sees nothing else of the queue."""

from dependency_injector import containers, providers

from adapters.postgres.expired_token_purger import PostgresExpiredTokenPurger
from adapters.postgres.work_item_purger import PostgresWorkItemPurger
from adapters.runner_process.runner_end import connect_to_keeper
from application.execution.handlers import HandlerRegistry
from application.execution.run_handler import RunHandler
from application.payloads import payload_classes
from domain.work.kind import WorkKind
from entrypoints.common.database_container import DatabaseContainer
from entrypoints.common.settings import Settings
from entrypoints.worker.crawl_container import CrawlContainer
from entrypoints.worker.handlers.crawl import CrawlHandler
from entrypoints.worker.handlers.token_cleanup import TokenCleanupHandler
from entrypoints.worker.handlers.work_item_retention import WorkItemRetentionHandler
from entrypoints.worker.spans import days


class RunnerContainer(containers.DeclarativeContainer):
    settings = providers.Dependency(instance_of=Settings)

    _queue = settings.provided.queue
    database = providers.Container(
        DatabaseContainer, settings=settings, application_name="anichron-runner"
    )
    expired_tokens = providers.ThreadSafeSingleton(
        PostgresExpiredTokenPurger, engine=database.library_engine
    )
    purger = providers.ThreadSafeSingleton(PostgresWorkItemPurger, engine=database.library_engine)

    token_cleanup = providers.Factory(
        TokenCleanupHandler, tokens=expired_tokens, batch_size=_queue.retention_batch_size
    )
    work_item_retention = providers.Factory(
        WorkItemRetentionHandler,
        items=purger,
        retention=providers.Factory(days, _queue.retention_days),
        batch_size=_queue.retention_batch_size,
    )

    crawling = providers.Container(
        CrawlContainer, settings=settings.provided.worker, engine=database.library_engine
    )
    crawl = providers.Factory(CrawlHandler, crawl=crawling.crawl_library)

    runner_end = providers.Factory(connect_to_keeper)

    # Pairs, not a dict: a kind that stands here twice must be seen and not dropped.
    handlers = providers.List(
        providers.List(WorkKind.TOKEN_CLEANUP, token_cleanup),
        providers.List(WorkKind.WORK_ITEM_RETENTION, work_item_retention),
        providers.List(WorkKind.CRAWL, crawl),
    )
    registry = providers.ThreadSafeSingleton(
        HandlerRegistry,
        kinds=providers.Object(WorkKind),
        payloads=providers.Factory(payload_classes),
        handlers=handlers,
    )
    run_handler = providers.ThreadSafeSingleton(
        RunHandler,
        registry=registry,
        roots=providers.List(settings.provided.worker.root.as_posix.call()),
    )
