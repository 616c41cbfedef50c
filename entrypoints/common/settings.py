"""Every setting of both hosts, read from the environment, nested by `__`.

Each field's description and default is what `anichron settings` prints and the documentation
shows. A value out of range stops the start with a message that names the variable.
"""

import ipaddress
import os
from datetime import timedelta
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from entrypoints.common.secret_file import secret_in

Seconds = Annotated[float, Field(gt=0, le=86_400, allow_inf_nan=False)]
Hours = Annotated[float, Field(gt=0, le=24 * 365, allow_inf_nan=False)]


def _absolute(path: Path) -> Path:
    if not path.is_absolute():
        raise ValueError("must be an absolute path")
    return path


AbsolutePath = Annotated[Path, AfterValidator(_absolute)]


def _no_url(host: str) -> str:
    if "://" in host:
        raise ValueError("must be a host name and no URL")
    return host


# A URL has the password in it, and would be told as the name that nobody knows.
HostName = Annotated[str, AfterValidator(_no_url)]


def _networks(text: str) -> str:
    _parsed_networks(text)
    return text


def _parsed_networks(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    if text == NO_NETWORKS:
        return ()
    return tuple(ipaddress.ip_network(part.strip()) for part in text.split(","))


NO_NETWORKS = "none"
Networks = Annotated[str, AfterValidator(_networks)]


class _Group(BaseModel):
    # A message about one member must not show the others: secrets are among them.
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class PostgresConnection(_Group):
    """How to reach PostgreSQL; without a host, the embedded server of `ANICHRON_HOME`."""

    host: HostName | None = Field(
        None,
        description="host name or socket directory; several, parted by commas, are a primary and"
        " its replicas; unset = embedded",
    )
    port: int = Field(5432, ge=1, le=65_535)
    dbname: str = Field("anichron", min_length=1)
    user: str = Field("anichron", min_length=1)
    password: SecretStr | None = None
    password_file: AbsolutePath | None = Field(None, description="read instead of PASSWORD")
    is_pooled: bool = Field(
        default=False, description="a pooler in transaction mode (PgBouncer) answers at the address"
    )
    connect_timeout_seconds: Seconds = 5
    statement_timeout_seconds: Seconds = 30
    answer_slack_seconds: Seconds = Field(
        5, description="beyond the server's own limit: then the client gives the connection up"
    )
    migration_timeout_seconds: Seconds = Field(
        3_600, description="how long one statement of a migration may take"
    )
    lock_timeout_seconds: Seconds = Field(5, description="how long a statement waits for a lock")
    pool_size: int = Field(8, ge=1, le=200, description="connections of the API's pool")
    pool_timeout_seconds: Seconds = Field(5, description="how long to wait for a free connection")

    def secret(self) -> str | None:
        """The password, from its file where one is named."""
        if self.password_file is not None:
            return secret_in(self.password_file, "POSTGRES_CONNECTION__PASSWORD_FILE")
        return self.password.get_secret_value() if self.password else None


class RolePasswords(_Group):
    """What `migrate` gives the hosts' roles, so that they can log in over the network."""

    api: SecretStr | None = Field(None, min_length=1, description="of anichron_api; unset = as is")
    worker: SecretStr | None = Field(
        None, min_length=1, description="of anichron_worker; unset = as is"
    )

    def by_role(self) -> dict[str, str]:
        """Of each role that gets one."""
        given = {"anichron_api": self.api, "anichron_worker": self.worker}
        return {role: secret.get_secret_value() for role, secret in given.items() if secret}


class WorkerSettings(_Group):
    """What a Worker serves, where it reads and where it writes."""

    user: str | None = Field(None, min_length=1, description="name or e-mail; unset = everyone")
    root: AbsolutePath = Field(
        Path("/data/originals"),
        description="below it lie all configs; `up` takes / unless it is set",
    )
    proxy_path: AbsolutePath = Field(
        Path("/data/proxies"),
        description="proxies are written here; `up` has them in ANICHRON_HOME",
    )
    crawl_interval_hours: Hours = 4
    max_concurrent_files: int = Field(4, ge=1, le=64)
    token_cleanup_interval_hours: Hours = 24
    shutdown_grace_seconds: Seconds = 8
    exit_slack_seconds: Seconds = Field(
        1.5, description="beyond the grace time: for the outcome and the end of the process"
    )
    start_timeout_seconds: Seconds = Field(60, description="how long the runner may take to start")
    max_megapixels: float = Field(
        300, gt=0, le=10_000, description="larger pictures are skipped before they are decoded"
    )
    max_whole_megabytes: float = Field(
        540,
        gt=0,
        le=100_000,
        description="pictures of formats that cannot be decoded in strips are skipped beyond it",
    )
    whole_megabytes_at_once: float = Field(
        200, gt=0, le=100_000, description="what all threads together may take for such pictures"
    )
    encoded_megabytes_at_once: float = Field(
        64, gt=0, le=10_000, description="what all threads together may hold of pictures' files"
    )


class QueueSettings(_Group):
    """Cadence and limits of the queue."""

    heartbeat_seconds: Seconds = 2
    lease_seconds: Seconds = 60
    poll_seconds: Seconds = 2
    schedule_seconds: Seconds = Field(5, description="how often due periodic work is looked for")
    stall_limit: int = Field(3, ge=1, le=100)
    retention_days: float = Field(30, gt=0, le=36_500)
    retention_interval_hours: Hours = 24
    retention_batch_size: int = Field(200, ge=1, le=10_000, description="rows deleted at once")
    transaction_timeout_seconds: Seconds = Field(
        8, description="longest transaction that writes the queue; below the look-back"
    )
    heartbeat_timeout_seconds: Seconds = Field(5, description="how long one heartbeat may take")
    outcome_backoff_seconds: Seconds = Field(
        5, description="longest pause between tries to write an outcome"
    )

    @property
    def heartbeat(self) -> timedelta:
        return timedelta(seconds=self.heartbeat_seconds)

    @property
    def poll(self) -> timedelta:
        return timedelta(seconds=self.poll_seconds)

    @property
    def lease(self) -> timedelta:
        return timedelta(seconds=self.lease_seconds)


class EventSettings(_Group):
    """The live stream of work items."""

    interval_seconds: Seconds = 2
    lookback_seconds: Seconds = 10
    keep_alive_seconds: Annotated[float, Field(gt=0, le=15)] = 15
    max_streams: int = Field(2_000, ge=1, le=100_000)
    remembered_items: int = Field(
        4_000, ge=1_001, le=100_000, description="items whose newest change a resume is served from"
    )
    backlog_looks: int = Field(
        15, ge=1, le=1_000, description="how many looks a client may be behind before it is dropped"
    )
    unread_seconds: Seconds = Field(
        20, description="how long sent bytes may stay unread before the connection is reset"
    )


class JwtSettings(_Group):
    """Access and refresh tokens."""

    secret: SecretStr | None = Field(None, min_length=32, description="made on the first run")
    secret_file: AbsolutePath | None = None
    access_minutes: float = Field(15, gt=0, le=24 * 60)
    refresh_days: float = Field(30, gt=0, le=3_650)


class LogInSettings(_Group):
    """How long whoever guesses passwords has to wait, and how many log-ins wait for a check."""

    pair_free_failures: int = Field(
        5, ge=1, le=1_000, description="of one name from one address; then each doubles the wait"
    )
    address_free_failures: int = Field(
        50, ge=1, le=100_000, description="from one address, whatever the names"
    )
    account_free_failures: int = Field(
        20, ge=1, le=100_000, description="of one name, wherever from"
    )
    first_wait_seconds: Seconds = Field(1, description="after the last free failure")
    longest_wait_seconds: Seconds = Field(900, description="of a pair, and of an address")
    account_longest_wait_seconds: Seconds = Field(
        60, description="where an account has not logged in from; its owner may be on a journey"
    )
    memory_hours: Hours = Field(24, description="after so long without a failure all is forgotten")
    known_days: float = Field(
        90,
        gt=0,
        le=3_650,
        description="so long after a log-in only its own pair can make an account wait there",
    )
    most_waiting: int = Field(
        40,
        ge=1,
        le=10_000,
        description="log-ins that wait for a check; more are told to come again",
    )


class HttpSettings(_Group):
    """What is accepted from the network."""

    trusted_proxies: Networks = Field(
        "127.0.0.0/8,::1/128",
        description="addresses and networks whose X-Forwarded-For is believed, or none",
    )
    request_seconds: Seconds = Field(
        15,
        description="how long a client may take to send the head of a connection's first request,"
        " and each body; a later head has to be there 2 s after the answer before it",
    )
    answer_seconds: Seconds = Field(
        15, description="how long a request waits for its turn and for its answer, before a 503"
    )
    most_waiting: int = Field(
        200, ge=1, le=100_000, description="requests that may wait for their turn"
    )
    max_connections: int = Field(
        2_500, ge=10, le=100_000, description="open connections; more are closed at once"
    )
    max_line_bytes: int = Field(4_094, ge=256, le=8_190, description="of a request's first line")
    max_headers: int = Field(100, ge=10, le=1_000, description="header fields of a request")
    max_header_bytes: int = Field(8_190, ge=1_024, le=65_536, description="of one header field")

    def proxies(self) -> tuple[IPv4Network | IPv6Network, ...]:
        """The networks of TRUSTED_PROXIES."""
        return _parsed_networks(self.trusted_proxies)


class StatusSettings(_Group):
    """What monitors ask, on ports of their own: /metrics, /healthz and /readyz.

    Nobody is asked who they are there, so the ports stay on loopback or an inner network.
    """

    address: str = Field("127.0.0.1", description="where both status ports listen")
    api_port: int | None = Field(
        None, ge=1, le=65_535, description="of the API; unset = off (its own port has healthz)"
    )
    worker_port: int | None = Field(
        None, ge=1, le=65_535, description="of a Worker, each its own; unset = off"
    )
    stuck_seconds: Seconds = Field(
        60, description="a loop of a Worker that does not come round for so long is stuck"
    )


class TraceSettings(_Group):
    """Spans of enqueue, claim and run."""

    endpoint: str | None = Field(
        None,
        pattern=r"^https?://",
        description="where OTLP over HTTP is taken, http://collector:4318/v1/traces; unset = off",
    )
    timeout_seconds: Seconds = Field(5, description="how long one delivery of spans may take")


class UpSettings(_Group):
    """The supervisor of `anichron up`."""

    ready_seconds: Seconds = Field(60, description="how long the API may take to become ready")
    api_stop_seconds: Seconds = Field(15, description="how long the API may take to stop")
    worker_stop_slack_seconds: Seconds = Field(
        10, description="how long a Worker may take to stop, beyond its grace time"
    )


class Settings(BaseSettings):
    """Everything that an operator can set."""

    model_config = SettingsConfigDict(
        env_nested_delimiter="__",
        env_ignore_empty=True,  # a compose file's `X=` means unset
        frozen=True,
        extra="ignore",
        hide_input_in_errors=True,
    )

    anichron_home: AbsolutePath = Field(
        default_factory=lambda: default_home(),  # noqa: PLW0108  # defined below
        description="embedded database, secrets and, for `up`, proxies",
    )
    address: str = Field("127.0.0.1", description="the API listens here")
    port: int = Field(8276, ge=1, le=65_535)
    proxy_path: AbsolutePath | None = Field(
        None, description="the API reads proxies here; unset = WORKER__PROXY_PATH"
    )
    library: AbsolutePath | None = Field(
        None, description="folder that `up` registers for the admin"
    )
    proxy_timeout_seconds: Seconds = Field(
        10,
        description="how long the API waits for a proxy's file, which a dead disk never gives",
    )
    log_format: Literal["auto", "json", "console"] = Field("auto")
    log_level: Literal["debug", "info", "warning", "error"] = Field("info")
    postgres_connection: PostgresConnection = Field(default_factory=PostgresConnection)
    role_passwords: RolePasswords = Field(default_factory=RolePasswords)
    worker: WorkerSettings = Field(default_factory=WorkerSettings)
    queue: QueueSettings = Field(default_factory=QueueSettings)
    work_item_events: EventSettings = Field(default_factory=EventSettings)
    jwt: JwtSettings = Field(default_factory=JwtSettings)
    log_in: LogInSettings = Field(default_factory=LogInSettings)
    http: HttpSettings = Field(default_factory=HttpSettings)
    status: StatusSettings = Field(default_factory=StatusSettings)
    traces: TraceSettings = Field(default_factory=TraceSettings)
    up: UpSettings = Field(default_factory=UpSettings)

    @property
    def home(self) -> Path:
        """Where this installation keeps what is its own."""
        return self.anichron_home

    def embedded_base(self) -> Path:
        """Where the embedded server keeps its data, socket and log."""
        return self.home / "postgres"

    def proxies_to_read(self) -> Path:
        """The folder that the API reads proxies from: where a Worker on this machine writes."""
        return self.proxy_path or self.worker.proxy_path

    def is_embedded(self) -> bool:
        return self.postgres_connection.host is None

    def database_host(self) -> str:
        """The server's host, or the embedded server's socket directory."""
        return self.postgres_connection.host or str(self.embedded_base() / "run")

    @model_validator(mode="after")
    def _lease_outlives_heartbeats(self) -> Self:
        if self.queue.lease_seconds < 3 * self.queue.heartbeat_seconds:
            raise ValueError(
                "QUEUE__LEASE_SECONDS must be at least three times QUEUE__HEARTBEAT_SECONDS"
            )
        return self

    @model_validator(mode="after")
    def _history_outlives_intervals(self) -> Self:
        retention = self.queue.retention_days * 24
        intervals = {
            "WORKER__CRAWL_INTERVAL_HOURS": self.worker.crawl_interval_hours,
            "WORKER__TOKEN_CLEANUP_INTERVAL_HOURS": self.worker.token_cleanup_interval_hours,
            "QUEUE__RETENTION_INTERVAL_HOURS": self.queue.retention_interval_hours,
        }
        for name, hours in intervals.items():
            if hours >= retention:
                raise ValueError(f"{name} must be shorter than QUEUE__RETENTION_DAYS")
        return self

    @model_validator(mode="after")
    def _transactions_end_within_the_lookback(self) -> Self:
        if self.queue.transaction_timeout_seconds >= self.work_item_events.lookback_seconds:
            raise ValueError(
                "QUEUE__TRANSACTION_TIMEOUT_SECONDS must be below "
                "WORK_ITEM_EVENTS__LOOKBACK_SECONDS"
            )
        return self


def default_home() -> Path:
    """Root's data in /var/lib, a user's in the XDG data directory."""
    if os.geteuid() == 0:
        return Path("/var/lib/anichron")
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "anichron"
