"""The hosts under fire: Workers and the API as processes, started again when they end."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.chaos.history import FaultRecord, HostExit
from tests.chaos.plan import FaultKind
from tests.chaos.server import children_of

ROOT = Path(__file__).resolve().parents[2]
START_LIMIT_SECONDS = 60.0
AGAIN_AFTER_SECONDS = 1.0
END_LIMIT_SECONDS = 10.0


@dataclass
class Host:
    """One host; `process` is the newest of those that it has had."""

    name: str
    role: str
    environment: Mapping[str, str]
    log: Path
    process: subprocess.Popen[bytes] | None = None
    told_at: float | None = None
    told: FaultKind | None = None
    start_at: float = 0.0
    """On the monotonic clock; when it is to be started, if it does not run."""
    begun: float | None = None
    """When its newest process was started, on the monotonic clock."""
    is_ready: bool = False
    record: FaultRecord | None = None
    """The fault that lasts until it is ready again."""

    @property
    def pid(self) -> int | None:
        running = self.process is not None and self.process.poll() is None
        return self.process.pid if running and self.process is not None else None

    def processes(self) -> list[int]:
        """Itself and what it started."""
        pid = self.pid
        return [] if pid is None else [pid, *children_of(pid)]

    def start(self) -> None:
        self.is_ready, self.told_at, self.told = False, None, None
        self.log = self.log.with_name(f"{self.name}-{time.time():.0f}.log")
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.chaos.host", self.role],
                cwd=ROOT,
                env=dict(self.environment),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,  # a Ctrl-C is for the harness, which ends them
            )
        self.begun = time.monotonic()

    def has_come_up(self) -> bool:
        if self.role == "worker":
            return b"ready to work" in self.log.read_bytes()
        with socket.socket() as probe:
            probe.settimeout(0.2)
            return probe.connect_ex(("127.0.0.1", int(self.environment["PORT"]))) == 0

    def end(self) -> None:
        """At once, with all that it started."""
        for pid in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if self.process is not None:
            self.process.wait(END_LIMIT_SECONDS)


@dataclass
class Fleet:
    """All hosts. Used from the main thread alone: hosts end with the thread that started them."""

    folder: Path
    workers: Sequence[Host]
    api: Host
    exits: list[HostExit] = field(default_factory=list)

    @property
    def hosts(self) -> list[Host]:
        return [self.api, *self.workers]

    def start(self) -> None:
        """Start all, and wait until all are ready."""
        for host in self.hosts:
            host.start()
        limit = time.monotonic() + START_LIMIT_SECONDS
        while not all(host.is_ready for host in self.hosts):
            self.look()
            if self.exits or time.monotonic() > limit:
                raise RuntimeError(f"the hosts did not start; their logs are in {self.folder}")
            time.sleep(0.05)

    def look(self) -> None:
        """Note what ended and what came up; start what is to be started. Never waits."""
        now = time.monotonic()
        for host in self.hosts:
            if host.process is not None and host.process.poll() is not None:
                self._note_exit(host)
                host.process = None
                host.start_at = max(host.start_at, now + AGAIN_AFTER_SECONDS)
            if host.process is None and now >= host.start_at:
                host.start()
            elif host.process is not None and not host.is_ready and host.has_come_up():
                host.is_ready = True
                if host.record is not None:
                    host.record.ended = time.time()
                    host.record = None

    def signal(
        self, host: Host, number: signal.Signals, record: FaultRecord, seconds: float
    ) -> None:
        """Tell it to end; it is started again after so many seconds, or when it has ended."""
        host.start_at = time.monotonic() + seconds
        host.record = record
        if host.pid is not None and host.told is None:
            host.told_at, host.told = time.time(), record.kind
            os.kill(host.pid, number)

    def end(self) -> None:
        for host in self.hosts:
            host.end()

    def _note_exit(self, host: Host) -> None:
        assert host.process is not None
        self.exits.append(
            HostExit(
                host=host.name,
                at=time.time(),
                status=host.process.returncode,
                told_at=host.told_at,
                told=host.told,
                was_ready=host.is_ready,
                log=str(host.log),
            )
        )
