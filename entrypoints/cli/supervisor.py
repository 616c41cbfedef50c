"""Keeps the hosts of one machine running: starts them, restarts what dies, stops all decently."""

import ctypes
import logging
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import FrameType

logger = logging.getLogger(__name__)

PR_SET_PDEATHSIG = 1
LOOK_EVERY_SECONDS = 0.2
FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 30.0
# Who has lived so long starts over with the first pause.
SOUND_AFTER_SECONDS = 60.0


@dataclass(kw_only=True)
class BackOff:
    """Pauses that grow while something keeps dying, and start over once it has lived."""

    pause: float = FIRST_PAUSE_SECONDS
    started_at: float = 0.0
    start_again_at: float = 0.0

    def started(self) -> None:
        self.started_at = time.monotonic()

    def died(self) -> float:
        """How many seconds to wait before the next start."""
        now = time.monotonic()
        if now - self.started_at > SOUND_AFTER_SECONDS:
            self.pause = FIRST_PAUSE_SECONDS
        pause, self.pause = self.pause, min(2 * self.pause, LONGEST_PAUSE_SECONDS)
        self.start_again_at = now + pause
        return pause

    def is_over(self) -> bool:
        return time.monotonic() >= self.start_again_at


@dataclass(kw_only=True)
class Host:
    """One supervised process."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    stop_limit: float
    process: subprocess.Popen[bytes] | None = None
    back_off: BackOff = field(default_factory=BackOff)

    def start(self) -> None:
        libc = ctypes.CDLL(None)

        def stop_with_the_supervisor() -> None:
            libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)

        self.process = subprocess.Popen(
            self.command,
            env=dict(self.environment),
            stdin=subprocess.DEVNULL,
            start_new_session=True,  # a Ctrl-C is the supervisor's to pass on
            preexec_fn=stop_with_the_supervisor,  # noqa: PLW1509  # it has no threads
        )
        self.back_off.started()

    def keep_running(self) -> None:
        """Start it again if it died, after a pause that grows while it keeps dying."""
        if self.process is not None and self.process.poll() is not None:
            status, self.process = self.process.returncode, None
            pause = self.back_off.died()
            logger.warning(
                "the %s ended with status %s; starting it again in %.0f s",
                *(self.name, status, pause),
            )
        if self.process is None and self.back_off.is_over():
            self.start()

    def ask_to_stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)

    def wait(self, is_urgent: Callable[[], bool]) -> None:
        """Wait for its end; kill it when its time is up or the matter is urgent."""
        end = time.monotonic() + self.stop_limit
        while self.process is not None and self.process.poll() is None:
            if is_urgent() or time.monotonic() > end:
                logger.warning("the %s does not stop and is killed", self.name)
                self.process.kill()
                self.process.wait(self.stop_limit)
            time.sleep(LOOK_EVERY_SECONDS / 4)


@dataclass(kw_only=True)
class Supervisor:
    hosts: Sequence[Host]
    look_after: Callable[[], None]
    """What else must be kept running; called at every look."""
    signals: list[int] = field(default_factory=list)

    def listen_to_signals(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._on_signal)

    def run(self, on_started: Callable[[], None]) -> None:
        """Keep all running until a signal comes; then stop them, the last started first."""
        for host in self.hosts:
            host.start()
        try:
            on_started()
            while not self.signals:
                self.look_after()
                for host in self.hosts:
                    host.keep_running()
                time.sleep(LOOK_EVERY_SECONDS)
        finally:
            self._stop()

    def _stop(self) -> None:
        print("stopping …", file=sys.stderr, flush=True)  # noqa: T201
        for host in self.hosts:
            host.ask_to_stop()
        for host in reversed(self.hosts):
            host.wait(lambda: len(self.signals) > 1)

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        self.signals.append(number)
