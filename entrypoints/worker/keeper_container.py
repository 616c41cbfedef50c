"""Wiring of the keeper: the process that claims, beats, recovers, schedules and supervises."""

from dependency_injector import containers, providers
from uuid_utils.compat import uuid7

from adapters.clock.boot_stopwatch import BootStopwatch
from adapters.monitoring.exposition import CONTENT_TYPE, registry_of, text_of
from adapters.monitoring.observed_execution import CurrentRun, ObservedExecution
from adapters.monitoring.spans_of_execution import with_spans as execution_spans
from adapters.monitoring.spans_of_queue import with_spans as queue_spans
from adapters.monitoring.tracing import create_tracer
from adapters.monitoring.worker_metrics import WorkerMetrics
from adapters.postgres.due_work import PostgresDueWork
from adapters.postgres.readiness import PostgresReadiness
from adapters.postgres.served_scopes import PostgresServedScopes
from adapters.postgres.work_item_execution import PostgresWorkItemExecution
from adapters.postgres.work_queue import PostgresWorkQueue
from adapters.postgres.worker_register import PostgresWorkerRegister
from adapters.runner_process.ear import DescriptorEar
from adapters.runner_process.runner_process import RunnerProcess
from application.execution.announce_worker import AnnounceWorker
from application.execution.claim_work import ClaimWork
from application.execution.execute_work import ExecuteWork
from application.execution.finish_and_claim import FinishAndClaim
from application.execution.inbox import Inbox
from application.execution.keep_lease import KeepLease
from application.execution.recover_stalled import RecoverStalled
from application.execution.schedule_due_work import ScheduleDueWork
from application.execution.write_outcome import WriteOutcome
from application.ports.work_item_execution import Serves
from application.ports.worker_register import WorkerIdentity
from application.schedules.declared import Intervals, declared_schedules
from application.use_cases.check_readiness import CheckReadiness
from application.use_cases.enqueue_work import EnqueueWork
from entrypoints.common.database_container import DatabaseContainer
from entrypoints.common.log_context import LogContext
from entrypoints.common.readiness_report import why_not_ready
from entrypoints.common.settings import Settings
from entrypoints.common.status_server import Status, StatusServer
from entrypoints.worker.health import WorkerHealth
from entrypoints.worker.logged_run import LoggedExecution
from entrypoints.worker.loop import WorkerLoop
from entrypoints.worker.loops import Loop
from entrypoints.worker.pulse import ListeningInbox, Pulse
from entrypoints.worker.runner_link import died_into, ended_into
from entrypoints.worker.spans import hours, seconds


class KeeperContainer(containers.DeclarativeContainer):
    settings = providers.Dependency(instance_of=Settings)
    serves = providers.Dependency(instance_of=Serves)
    worker = providers.Dependency(instance_of=str)
    log_context = providers.Dependency(instance_of=LogContext)
    host = providers.Dependency(instance_of=str)
    version = providers.Dependency(instance_of=str)
    runner_command = providers.Dependency(instance_of=list)
    runner_environment = providers.Dependency(instance_of=dict)

    _queue = settings.provided.queue
    _worker = settings.provided.worker
    _lease = providers.Factory(seconds, _queue.lease_seconds)
    _grace = providers.Factory(seconds, _worker.shutdown_grace_seconds)

    database = providers.Container(
        DatabaseContainer, settings=settings, application_name="anichron-worker"
    )
    stopwatch = providers.ThreadSafeSingleton(BootStopwatch)
    main_pulse = providers.ThreadSafeSingleton(Pulse)
    ear = providers.ThreadSafeSingleton(DescriptorEar)
    inbox: providers.Provider[Inbox] = providers.ThreadSafeSingleton(
        ListeningInbox, ear, main_pulse
    )
    runner = providers.ThreadSafeSingleton(
        RunnerProcess,
        command=runner_command,
        environment=runner_environment,
        ear=ear,
        on_end=providers.Factory(ended_into, inbox),
        on_death=providers.Factory(died_into, inbox),
        start_limit=_worker.start_timeout_seconds,
    )

    registry = providers.ThreadSafeSingleton(registry_of, "worker")
    tracer = providers.ThreadSafeSingleton(
        create_tracer,
        settings.provided.traces.endpoint,
        settings.provided.traces.timeout_seconds,
        "worker",
    )
    events = providers.ThreadSafeSingleton(
        execution_spans, providers.ThreadSafeSingleton(WorkerMetrics, registry), tracer
    )
    current_run = providers.ThreadSafeSingleton(CurrentRun, events=events)
    execution = providers.ThreadSafeSingleton(
        ObservedExecution,
        inner=providers.Factory(
            PostgresWorkItemExecution,
            engine=database.queue_engine,
            latest_commit=providers.Factory(
                seconds, settings.provided.work_item_events.lookback_seconds
            ),
        ),
        run=current_run,
    )
    beating = providers.ThreadSafeSingleton(
        ObservedExecution,
        inner=providers.Factory(PostgresWorkItemExecution, engine=database.beat_engine),
        run=current_run,
    )
    work_queue = providers.ThreadSafeSingleton(
        queue_spans, providers.Factory(PostgresWorkQueue, engine=database.queue_engine), tracer
    )
    due_work = providers.ThreadSafeSingleton(PostgresDueWork, engine=database.queue_engine)
    scopes = providers.ThreadSafeSingleton(PostgresServedScopes, engine=database.queue_engine)

    keep_lease = providers.ThreadSafeSingleton(
        KeepLease,
        execution=beating,
        runner=runner,
        stopwatch=stopwatch,
        inbox=inbox,
        lease=_lease,
    )
    write_outcome = providers.ThreadSafeSingleton(
        WriteOutcome,
        execution=execution,
        inbox=inbox,
        stopwatch=stopwatch,
        stall_limit=_queue.stall_limit,
        longest_pause=providers.Factory(seconds, _queue.outcome_backoff_seconds),
        grace=_grace,
    )
    claim_work = providers.ThreadSafeSingleton(
        ClaimWork,
        execution=execution,
        serves=serves,
        worker=worker,
        lease=_lease,
        stopwatch=stopwatch,
    )
    execute_work = providers.ThreadSafeSingleton(
        ExecuteWork,
        runner=runner,
        keep_lease=keep_lease,
        finish_and_claim=providers.Factory(
            FinishAndClaim, claim=claim_work, write_outcome=write_outcome, inbox=inbox
        ),
        inbox=inbox,
        stopwatch=stopwatch,
        grace=_grace,
    )
    recover_stalled = providers.ThreadSafeSingleton(
        RecoverStalled, execution=execution, stall_limit=_queue.stall_limit
    )
    announce_worker = providers.ThreadSafeSingleton(
        AnnounceWorker,
        register=providers.Factory(PostgresWorkerRegister, engine=database.queue_engine),
        identity=providers.Factory(
            WorkerIdentity,
            id=providers.Callable(uuid7),
            name=worker,
            user_id=serves.provided.user_id,
            host=host,
            version=version,
        ),
        keep_lease=keep_lease,
    )
    schedules = providers.Callable(
        declared_schedules,
        providers.Factory(
            Intervals,
            token_cleanup=providers.Factory(hours, _worker.token_cleanup_interval_hours),
            work_item_retention=providers.Factory(hours, _queue.retention_interval_hours),
            crawl=providers.Factory(hours, _worker.crawl_interval_hours),
        ),
    )
    enqueue_work = providers.ThreadSafeSingleton(
        EnqueueWork, queue=work_queue, new_id=providers.Object(uuid7)
    )
    schedule_due_work = providers.ThreadSafeSingleton(
        ScheduleDueWork,
        schedules=schedules,
        scopes=scopes,
        due_work=due_work,
        enqueue=enqueue_work,
        serves=serves,
    )

    check_readiness = providers.ThreadSafeSingleton(
        CheckReadiness,
        readiness=providers.Factory(PostgresReadiness, engine=database.queue_engine),
    )

    loop = providers.ThreadSafeSingleton(
        WorkerLoop,
        claim=claim_work,
        execute=providers.Factory(LoggedExecution, execute=execute_work, context=log_context),
        runner=runner,
        inbox=inbox,
        poll_seconds=_queue.poll_seconds,
        grace_seconds=_worker.shutdown_grace_seconds,
        exit_slack_seconds=_worker.exit_slack_seconds,
        side_loops=providers.Factory(
            lambda *loops: loops,
            providers.Factory(
                Loop,
                name="heartbeat",
                step=keep_lease.provided.beat,
                seconds=_queue.heartbeat_seconds,
                inbox=inbox,
            ),
            providers.Factory(
                Loop,
                name="recovery",
                step=recover_stalled,
                seconds=_queue.poll_seconds,
                inbox=inbox,
            ),
            providers.Factory(
                Loop,
                name="presence",
                step=announce_worker,
                at_end=announce_worker.provided.sign_off,
                seconds=_queue.poll_seconds,
                inbox=inbox,
            ),
            providers.Factory(
                Loop,
                name="scheduler",
                step=schedule_due_work,
                seconds=_queue.schedule_seconds,
                inbox=inbox,
            ),
        ),
    )

    _status = settings.provided.status
    health = providers.ThreadSafeSingleton(
        WorkerHealth,
        main=main_pulse,
        loops=loop.provided.side_loops,
        stuck_seconds=_status.stuck_seconds,
        runner_start_seconds=_worker.start_timeout_seconds,
        why_not_ready=providers.Callable(why_not_ready, check_readiness).provider,
    )
    status_server = providers.Factory(
        StatusServer,
        providers.Factory(
            Status,
            metrics=providers.Callable(text_of, registry).provider,
            metrics_type=CONTENT_TYPE,
            alive=health.provided.alive,
            ready=health.provided.ready,
        ),
        address=_status.address,
        port=_status.worker_port,
        variable="STATUS__WORKER_PORT",
    )
