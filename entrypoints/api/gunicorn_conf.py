"""gunicorn's configuration: `gunicorn --config python:entrypoints.api.gunicorn_conf`."""

import signal
import socket
from typing import Any

from entrypoints.api.server_worker import room_for_connections, warn_of_fewer_connections
from entrypoints.common.settings import Settings

_settings = Settings()
_host = f"[{_settings.address}]" if ":" in _settings.address else _settings.address

wsgi_app = "entrypoints.api.host:create_host()"
bind = f"{_host}:{_settings.port}"
worker_class = "entrypoints.api.server_worker.ApiWorker"
workers = 1  # each polls for the live view; threads carry the use cases
preload_app = False  # connections and threads don't outlive a fork
graceful_timeout = 10
timeout = 30
keepalive = 2  # gunicorn waits for idle connections too when it stops
worker_connections = room_for_connections(_settings.http.max_connections)
limit_request_line = _settings.http.max_line_bytes
limit_request_fields = _settings.http.max_headers
limit_request_field_size = _settings.http.max_header_bytes
forwarded_allow_ips = ",".join(str(network) for network in _settings.http.proxies())
asgi_lifespan = "on"
asgi_disconnect_grace_period = 1
control_socket_disable = True
proc_name = "anichron-api"
logger_class = "entrypoints.api.server_log.ServerLog"

# How long a client may leave what was sent to it unread before the kernel ends its connection.
UNREAD_LIMIT_MILLISECONDS = round(_settings.work_item_events.unread_seconds * 1_000)


def on_starting(server: Any) -> None:  # noqa: ARG001  # gunicorn's signature
    """The log is set up by now; it was not yet when this file was read."""
    warn_of_fewer_connections(_settings.http.max_connections, worker_connections)


def when_ready(server: Any) -> None:
    """Sockets that are accepted inherit the limit from the one that listens."""
    for listener in server.LISTENERS:
        if listener.sock.family in {socket.AF_INET, socket.AF_INET6}:
            listener.sock.setsockopt(
                socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_LIMIT_MILLISECONDS
            )


def post_worker_init(worker: Any) -> None:
    """Streams end as soon as the host is told to stop; gunicorn would wait for them."""

    def stop() -> None:
        worker.asgi.begin_stop()
        worker.handle_exit_signal()

    worker.loop.add_signal_handler(signal.SIGTERM, stop)


def worker_exit(server: Any, worker: Any) -> None:  # noqa: ARG001  # gunicorn's signature
    """The last thing in a gunicorn worker; one that failed to start has no application."""
    host = getattr(worker, "asgi", None)
    if host is not None:
        host.close()
