"""Wires the API: the one module of it that names adapters."""

from datetime import timedelta

from dependency_injector import containers, providers
from uuid_utils.compat import uuid7

from adapters.clock.boot_stopwatch import BootStopwatch
from adapters.clock.system_clock import SystemClock
from adapters.monitoring.exposition import CONTENT_TYPE, registry_of, text_of
from adapters.monitoring.queue_collector import QueueCollector
from adapters.monitoring.spans_of_queue import with_spans as queue_spans
from adapters.monitoring.stream_gauge import watch_streams
from adapters.monitoring.tracing import create_tracer
from adapters.postgres.crawl_failures import PostgresCrawlFailures
from adapters.postgres.engine import ConnectionLimits, create_postgres_engine
from adapters.postgres.log_in_attempts import PostgresLogInAttempts
from adapters.postgres.memories import PostgresMemories
from adapters.postgres.missing_allowances import PostgresMissingAllowances
from adapters.postgres.own_assets import PostgresOwnAssets
from adapters.postgres.periodic_runs import PostgresPeriodicRuns
from adapters.postgres.queue_figures import PostgresQueueFigures
from adapters.postgres.readiness import PostgresReadiness
from adapters.postgres.refresh_tokens import PostgresRefreshTokens
from adapters.postgres.served_scopes import PostgresServedScopes
from adapters.postgres.storage_configs import PostgresStorageConfigs
from adapters.postgres.transactions import PostgresTransactions
from adapters.postgres.users import PostgresUsers
from adapters.postgres.work_item_canceller import PostgresWorkItemCanceller
from adapters.postgres.work_item_changes import PostgresWorkItemChanges
from adapters.postgres.work_item_counter import PostgresWorkItemCounter
from adapters.postgres.work_item_reader import PostgresWorkItemReader
from adapters.postgres.work_queue import PostgresWorkQueue
from adapters.postgres.worker_directory import PostgresWorkerDirectory
from adapters.proxy_reading.proxy_reader import FilesystemProxyReader
from adapters.security.access_tokens import JwtAccessTokens
from adapters.security.password_hasher import HASHES_AT_ONCE, Argon2PasswordHasher
from application.schedules.declared import Intervals, declared_schedules
from application.use_cases.allow_missing import AllowMissing
from application.use_cases.authenticate import Authenticate
from application.use_cases.cancel_work import CancelWork
from application.use_cases.check_readiness import CheckReadiness
from application.use_cases.count_work import CountWork
from application.use_cases.enqueue_work import EnqueueWork
from application.use_cases.log_in import LogIn
from application.use_cases.log_out import LogOut
from application.use_cases.manage_storage_configs import (
    AddStorageConfig,
    ChangeStorageConfig,
    ListOwnStorageConfigs,
    ListStorageConfigs,
    RemoveStorageConfig,
)
from application.use_cases.manage_users import AddUser, ChangeUser, ListUsers, RemoveUser
from application.use_cases.read_crawl_failures import ReadCrawlFailures
from application.use_cases.read_proxy import ReadProxy
from application.use_cases.read_schedules import ReadSchedules
from application.use_cases.read_work import ListWork, ReadWork
from application.use_cases.read_workers import ReadWorkers
from application.use_cases.recall_day import RecallDay
from application.use_cases.recheck_watchers import RecheckWatchers
from application.use_cases.refresh_log_in import RefreshLogIn
from application.use_cases.sign_token_pair import SignTokenPair
from application.use_cases.watch_work import ChangeFeed
from domain.identity.log_in_throttle import Rule, ThrottleRules
from domain.library.proxy import ProxyKind
from entrypoints.api.client_address import ClientAddress
from entrypoints.api.live.hub import Hub
from entrypoints.api.offload import Offload
from entrypoints.api.queue_views import CadenceView
from entrypoints.api.resources.admin_page import AdminPageResource, ToAdminPage
from entrypoints.api.resources.auth import AuthResource
from entrypoints.api.resources.health import AliveResource, ReadyResource
from entrypoints.api.resources.memories import MemoriesResource
from entrypoints.api.resources.openapi import OpenApiResource
from entrypoints.api.resources.own_storage_configs import (
    CrawlFailuresResource,
    OwnStorageConfigsResource,
)
from entrypoints.api.resources.proxies import ProxyResource
from entrypoints.api.resources.queue_overview import (
    SchedulesResource,
    WorkersResource,
    WorkItemCountsResource,
)
from entrypoints.api.resources.storage_configs import (
    AllowMissingResource,
    StorageConfigResource,
    StorageConfigsResource,
)
from entrypoints.api.resources.users import UserResource, UsersResource
from entrypoints.api.resources.work_item_events import WorkItemEventsResource
from entrypoints.api.resources.work_items import (
    CancelResource,
    WorkItemResource,
    WorkItemsResource,
)
from entrypoints.common.database_container import DatabaseContainer
from entrypoints.common.host_time_zone import host_time_zone
from entrypoints.common.jwt_secret import jwt_secret
from entrypoints.common.readiness_report import always_alive, why_not_ready
from entrypoints.common.settings import LogInSettings, Settings
from entrypoints.common.status_server import Status, StatusServer

Once = providers.ThreadSafeSingleton


HUB_THREADS = 1
PROXY_THREADS = 2


def _threads_left(connections: int) -> int:
    return max(1, connections - HASHES_AT_ONCE - HUB_THREADS - PROXY_THREADS)


def _throttle_rules(given: LogInSettings) -> ThrottleRules:
    def rule(free: int, longest: float) -> Rule:
        return Rule(
            free=free,
            first=timedelta(seconds=given.first_wait_seconds),
            longest=timedelta(seconds=longest),
            memory=timedelta(hours=given.memory_hours),
        )

    return ThrottleRules(
        pair=rule(given.pair_free_failures, given.longest_wait_seconds),
        address=rule(given.address_free_failures, given.longest_wait_seconds),
        account=rule(given.account_free_failures, given.account_longest_wait_seconds),
        known_for=timedelta(days=given.known_days),
    )


def _intervals(settings: Settings) -> Intervals:
    return Intervals(
        token_cleanup=timedelta(hours=settings.worker.token_cleanup_interval_hours),
        work_item_retention=timedelta(hours=settings.queue.retention_interval_hours),
        crawl=timedelta(hours=settings.worker.crawl_interval_hours),
    )


class ApiContainer(containers.DeclarativeContainer):
    """Everything that the API is made of; one per gunicorn worker."""

    settings = providers.Dependency(instance_of=Settings)

    _connection = settings.provided.postgres_connection
    database = providers.Container(
        DatabaseContainer, settings=settings, application_name="anichron-api"
    )
    engine = Once(
        create_postgres_engine,
        address=database.address,
        limits=providers.Factory(
            ConnectionLimits,
            connect=_connection.connect_timeout_seconds,
            statement=_connection.statement_timeout_seconds,
            answer_slack=_connection.answer_slack_seconds,
            lock=_connection.lock_timeout_seconds,
            transaction=settings.provided.queue.transaction_timeout_seconds,
            pool_size=_connection.pool_size,
            pool_wait=_connection.pool_timeout_seconds,
        ),
        application_name="anichron-api",
    )
    clock = Once(SystemClock)
    users = Once(PostgresUsers, engine=engine)
    refresh_tokens = Once(PostgresRefreshTokens, engine=engine)
    storage_configs = Once(PostgresStorageConfigs, engine=engine)
    readiness = Once(PostgresReadiness, engine=engine)
    password_hasher = Once(Argon2PasswordHasher)
    access_tokens = Once(JwtAccessTokens, secret=providers.Callable(jwt_secret, settings))

    refresh_lifetime = providers.Factory(timedelta, days=settings.provided.jwt.refresh_days)
    sign = Once(
        SignTokenPair,
        access_tokens=access_tokens,
        clock=clock,
        lifetime=providers.Factory(timedelta, minutes=settings.provided.jwt.access_minutes),
    )
    log_in = Once(
        LogIn,
        users=users,
        attempts=Once(
            PostgresLogInAttempts,
            engine=engine,
            rules=providers.Callable(_throttle_rules, settings.provided.log_in),
        ),
        password_hasher=password_hasher,
        refresh_tokens=refresh_tokens,
        sign=sign,
        refresh_lifetime=refresh_lifetime,
    )
    refresh_log_in = Once(
        RefreshLogIn, refresh_tokens=refresh_tokens, sign=sign, refresh_lifetime=refresh_lifetime
    )
    log_out = Once(LogOut, refresh_tokens=refresh_tokens)
    authenticate = Once(Authenticate, access_tokens=access_tokens, users=users, clock=clock)
    list_users = Once(ListUsers, users=users)
    add_user = Once(AddUser, users=users, password_hasher=password_hasher)
    change_user = Once(ChangeUser, users=users, password_hasher=password_hasher)
    remove_user = Once(RemoveUser, users=users)
    list_storage_configs = Once(ListStorageConfigs, storage_configs=storage_configs)
    add_storage_config = Once(
        AddStorageConfig,
        storage_configs=storage_configs,
        host_time_zone=providers.Callable(host_time_zone),
    )
    change_storage_config = Once(ChangeStorageConfig, storage_configs=storage_configs)
    remove_storage_config = Once(RemoveStorageConfig, storage_configs=storage_configs)
    check_readiness = Once(CheckReadiness, readiness=readiness)

    reader = Once(PostgresWorkItemReader, engine=engine)
    list_work = Once(ListWork, reader=reader)
    read_work = Once(ReadWork, reader=reader)
    cancel_work = Once(CancelWork, canceller=Once(PostgresWorkItemCanceller, engine=engine))

    tracer = Once(
        create_tracer,
        settings.provided.traces.endpoint,
        settings.provided.traces.timeout_seconds,
        "api",
    )
    allow_missing = Once(
        AllowMissing,
        transactions=Once(PostgresTransactions, engine=engine),
        allowances=Once(PostgresMissingAllowances),
        enqueue=Once(
            EnqueueWork,
            queue=Once(queue_spans, Once(PostgresWorkQueue, engine=engine), tracer),
            new_id=providers.Object(uuid7),
        ),
    )

    _http = settings.provided.http
    # Log-ins wait for their turn to hash, files for a disk that may be away, and the live view must
    # not wait for anybody: none shares the threads of the rest, and all together are no more than
    # the pool's connections.
    offload = Once(
        Offload,
        threads=providers.Callable(_threads_left, _connection.pool_size),
        seconds=_http.answer_seconds,
        most_waiting=_http.most_waiting,
    )
    log_in_offload = Once(
        Offload,
        threads=HASHES_AT_ONCE,
        seconds=_http.answer_seconds,
        most_waiting=settings.provided.log_in.most_waiting,
    )
    hub_offload = Once(Offload, threads=HUB_THREADS)
    proxy_offload = Once(
        Offload, threads=PROXY_THREADS, seconds=settings.provided.proxy_timeout_seconds
    )
    auth_resource = Once(
        AuthResource,
        log_in=log_in,
        refresh_log_in=refresh_log_in,
        log_out=log_out,
        client_address=Once(ClientAddress, trusted=settings.provided.http.proxies.call()),
        offload=offload,
        log_in_offload=log_in_offload,
    )
    users_resource = Once(UsersResource, list_users=list_users, add_user=add_user, offload=offload)
    user_resource = Once(
        UserResource, change_user=change_user, remove_user=remove_user, offload=offload
    )
    storage_configs_resource = Once(
        StorageConfigsResource,
        list_storage_configs=list_storage_configs,
        add_storage_config=add_storage_config,
        offload=offload,
    )
    storage_config_resource = Once(
        StorageConfigResource,
        change_storage_config=change_storage_config,
        remove_storage_config=remove_storage_config,
        offload=offload,
    )
    allow_missing_resource = Once(
        AllowMissingResource, allow_missing=allow_missing, read_work=read_work, offload=offload
    )
    _events = settings.provided.work_item_events
    hub = Once(
        Hub,
        feed=Once(
            ChangeFeed,
            changes=Once(PostgresWorkItemChanges, engine=engine),
            stopwatch=Once(BootStopwatch),
            lookback=providers.Factory(timedelta, seconds=_events.lookback_seconds),
            ring_size=_events.remembered_items,
        ),
        recheck=Once(RecheckWatchers, users=users),
        offload=hub_offload,
        clock=clock,
        interval_seconds=_events.interval_seconds,
        keep_alive_seconds=_events.keep_alive_seconds,
        backlog_looks=_events.backlog_looks,
        remembered_items=_events.remembered_items,
        most_streams=_events.max_streams,
    )
    work_items_resource = Once(WorkItemsResource, list_work=list_work, offload=offload)
    work_item_resource = Once(WorkItemResource, read_work=read_work, offload=offload)
    work_item_counts_resource = Once(
        WorkItemCountsResource,
        count_work=Once(
            CountWork,
            counter=Once(PostgresWorkItemCounter, engine=engine),
            stopwatch=Once(BootStopwatch),
        ),
        offload=offload,
    )
    schedules_resource = Once(
        SchedulesResource,
        read_schedules=Once(
            ReadSchedules,
            schedules=providers.Callable(
                declared_schedules, providers.Callable(_intervals, settings)
            ),
            scopes=Once(PostgresServedScopes, engine=engine),
            runs=Once(PostgresPeriodicRuns, engine=engine),
        ),
        offload=offload,
    )
    workers_resource = Once(
        WorkersResource,
        read_workers=Once(ReadWorkers, directory=Once(PostgresWorkerDirectory, engine=engine)),
        cadence=Once(
            CadenceView,
            poll_seconds=settings.provided.queue.poll_seconds,
            heartbeat_seconds=settings.provided.queue.heartbeat_seconds,
            lease_seconds=settings.provided.queue.lease_seconds,
        ),
        offload=offload,
    )
    cancel_resource = Once(
        CancelResource, cancel_work=cancel_work, read_work=read_work, offload=offload
    )
    work_item_events_resource = Once(WorkItemEventsResource, hub=hub)
    own_storage_configs_resource = Once(
        OwnStorageConfigsResource,
        list_own_storage_configs=Once(ListOwnStorageConfigs, storage_configs=storage_configs),
        offload=offload,
    )
    crawl_failures_resource = Once(
        CrawlFailuresResource,
        read_crawl_failures=Once(
            ReadCrawlFailures,
            storage_configs=storage_configs,
            crawl_failures=Once(PostgresCrawlFailures, engine=engine),
        ),
        offload=offload,
    )
    memories_resource = Once(
        MemoriesResource,
        recall_day=Once(RecallDay, memories=Once(PostgresMemories, engine=engine)),
        offload=offload,
    )
    read_proxy = Once(
        ReadProxy,
        assets=Once(PostgresOwnAssets, engine=engine),
        proxies=Once(FilesystemProxyReader, proxy_path=settings.provided.proxies_to_read.call()),
    )
    thumbnail_resource = Once(
        ProxyResource, read_proxy=read_proxy, kind=ProxyKind.THUMBNAIL, offload=proxy_offload
    )
    preview_resource = Once(
        ProxyResource, read_proxy=read_proxy, kind=ProxyKind.PREVIEW, offload=proxy_offload
    )
    alive_resource = Once(AliveResource)
    ready_resource = Once(ReadyResource, check_readiness=check_readiness, offload=offload)
    openapi_resource = Once(OpenApiResource)
    admin_page_resource = Once(AdminPageResource)
    to_admin_page = Once(ToAdminPage)

    # Monitors have connections of their own: they neither take one from a request nor wait for it.
    _status = settings.provided.status
    registry = Once(registry_of, "api")
    queue_collector = Once(
        QueueCollector,
        registry=registry,
        figures=providers.Factory(PostgresQueueFigures, engine=database.queue_engine),
    )
    watched_streams = providers.Callable(watch_streams, registry, hub.provided.open_streams)
    monitored_readiness = Once(
        CheckReadiness,
        readiness=providers.Factory(PostgresReadiness, engine=database.queue_engine),
    )
    status_server = providers.Factory(
        StatusServer,
        providers.Factory(
            Status,
            metrics=providers.Callable(text_of, registry).provider,
            metrics_type=CONTENT_TYPE,
            alive=providers.Object(always_alive),
            ready=providers.Callable(why_not_ready, monitored_readiness).provider,
        ),
        address=_status.address,
        port=_status.api_port,
        variable="STATUS__API_PORT",
    )
