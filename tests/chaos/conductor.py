"""Brings the planned faults about, at their times, and notes when each began and ended."""

import contextlib
import os
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import psycopg

from tests.chaos.history import FaultRecord
from tests.chaos.load import KEPT_SCOPES
from tests.chaos.plan import Fault, FaultKind
from tests.chaos.requests import Cancels, Deletions, Enqueuer
from tests.chaos.rig import Rig

LOOK_SECONDS = 0.05
BACKEND_EVERY_SECONDS = 0.5
TAKE_EVERY_SECONDS = 0.2
BURST = 6
CLOCK_OFF_SECONDS = 600


@dataclass
class _Going:
    """A fault that goes on, with what is done again and again while it does."""

    fault: Fault
    record: FaultRecord
    again: Callable[[], None] | None = None
    every: float = 0.0
    next_at: float = 0.0
    frozen: Sequence[int] = ()


@dataclass
class Conductor:
    """Used from the main thread alone. Faults' times are counted from `began`."""

    rig: Rig
    enqueuer: Enqueuer
    cancels: Cancels
    deletions: Deletions
    began: float
    """On the monotonic clock."""
    records: list[FaultRecord] = field(default_factory=list)
    _going: list[_Going] = field(default_factory=list)
    _killed: int = 0

    def play(self, faults: Sequence[Fault], until: float, is_over: Callable[[], bool]) -> None:
        """The faults and then quiet, until that time; earlier when it is over."""
        waiting = list(faults)
        while (now := time.monotonic() - self.began) < until and not is_over():
            while waiting and waiting[0].at <= now:
                self._begin(waiting.pop(0))
            for going in [each for each in self._going if each.fault.until <= now]:
                self._going.remove(going)
                self._end(going)
            self._again(now)
            self.rig.fleet.look()
            time.sleep(LOOK_SECONDS)

    def end_all(self) -> None:
        """End what still goes on: the run is over before its time."""
        for going in self._going:
            self._end(going)
        self._going = []

    def _again(self, now: float) -> None:
        for going in self._going:
            if going.again is not None and now >= going.next_at:
                going.next_at = now + going.every
                going.record.kills.append(time.time())
                with contextlib.suppress(psycopg.OperationalError):
                    going.again()

    def _begin(self, fault: Fault) -> None:
        record = FaultRecord(kind=fault.kind, target=fault.target, began=time.time())
        self.records.append(record)
        going = _Going(fault, record)
        match fault.kind:
            case FaultKind.KILL | FaultKind.STOP | FaultKind.API_KILL | FaultKind.API_STOP:
                self._signal(fault, record)
                return
            case FaultKind.CANCELS | FaultKind.DELETION:
                self._request(fault)
                record.ended = time.time()
                return
            case FaultKind.FREEZE:
                going.frozen = self._freeze(fault)
            case FaultKind.CLOCK:
                self._set_clock(fault, CLOCK_OFF_SECONDS * (1 if fault.variant else -1))
            case _:
                self._begin_on_server(going)
        self._going.append(going)

    def _begin_on_server(self, going: _Going) -> None:
        server = self.rig.server
        match going.fault.kind:
            case FaultKind.RESTART:
                server.stop(at_once=going.fault.variant)
            case FaultKind.SILENCE:
                server.freeze()
            case FaultKind.READ_ONLY:
                server.set_read_only(is_on=True)
            case FaultKind.BACKENDS:
                going.again, going.every = self._kill_a_backend, BACKEND_EVERY_SECONDS
            case FaultKind.EXHAUSTION:
                going.again, going.every = server.take_sessions, TAKE_EVERY_SECONDS
            case _:
                raise ValueError(f"{going.fault.kind} is none of the server's")

    def _end(self, going: _Going) -> None:
        server = self.rig.server
        match going.fault.kind:
            case FaultKind.FREEZE:
                _send(going.frozen, signal.SIGCONT)
            case FaultKind.CLOCK:
                self._set_clock(going.fault, 0)
            case FaultKind.RESTART:
                server.start()
            case FaultKind.SILENCE:
                server.thaw()
            case FaultKind.READ_ONLY:
                server.set_read_only(is_on=False)
            case FaultKind.EXHAUSTION:
                server.give_sessions_back()
            case _:
                pass
        going.record.ended = time.time()

    def _signal(self, fault: Fault, record: FaultRecord) -> None:
        of_api = fault.kind in {FaultKind.API_KILL, FaultKind.API_STOP}
        host = self.rig.fleet.api if of_api else self.rig.fleet.workers[fault.target]
        is_kill = fault.kind in {FaultKind.KILL, FaultKind.API_KILL}
        number = signal.SIGKILL if is_kill else signal.SIGTERM
        # A Worker's runner has to end by itself with its keeper; gunicorn's processes are its own.
        others = host.processes()[1:] if fault.kind is FaultKind.API_KILL else []
        self.rig.fleet.signal(host, number, record, fault.seconds)
        _send(others, signal.SIGKILL)

    def _request(self, fault: Fault) -> None:
        if fault.kind is FaultKind.DELETION:
            self.deletions.ask(self.rig.scopes[KEPT_SCOPES + fault.target])
            return
        for asked in self.enqueuer.asked[-BURST:]:
            if asked.id is not None:
                self.cancels.ask(asked.id)

    def _freeze(self, fault: Fault) -> Sequence[int]:
        """The whole Worker, or its keeper alone: then its handler goes on without a claim."""
        processes = self.rig.fleet.workers[fault.target].processes()
        frozen = processes if fault.variant else processes[:1]
        _send(frozen, signal.SIGSTOP)
        return frozen

    def _set_clock(self, fault: Fault, seconds: int) -> None:
        clock = self.rig.clocks[fault.target]
        if clock is not None:
            clock.set(seconds)

    def _kill_a_backend(self) -> None:
        self._killed += 1
        self.rig.server.kill_a_backend(7 * self._killed)


def _send(pids: Sequence[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)
