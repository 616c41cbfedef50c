"""One run: the load, the faults, the clients and the observer, and at its end the evidence."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import psycopg

from tests.chaos.audit import Audit
from tests.chaos.conductor import Conductor
from tests.chaos.history import Breach, Ending
from tests.chaos.load import Request
from tests.chaos.observer import Observer
from tests.chaos.plan import Fault, Phases
from tests.chaos.requests import Cancels, Deletions, Enqueuer, Prober
from tests.chaos.rig import Rig
from tests.chaos.watcher import Watcher

DRAIN_SECONDS = 12.0
STREAM_SECONDS = 6.0
JOIN_SECONDS = 30.0
WARM_UP_SECONDS = 3.0


@dataclass
class Campaign:
    """Played once, from the main thread."""

    rig: Rig
    phases: Phases
    faults: Sequence[Fault]
    requests: Sequence[Request]
    stopped: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        api, stopped = self.rig.api, self.stopped
        self.cancels = Cancels(api, stopped)
        self.deletions = Deletions(api, stopped)
        self.watcher = Watcher(api, stopped)
        self.prober = Prober(api, stopped)
        self.enqueuer = Enqueuer(
            queue=self.rig.queue,
            requests=self.requests,
            scopes=self.rig.scopes,
            cancels=self.cancels,
            stopped=stopped,
        )
        self.began_at = time.time()
        self.conductor = Conductor(
            rig=self.rig,
            enqueuer=self.enqueuer,
            cancels=self.cancels,
            deletions=self.deletions,
            began=time.monotonic(),
        )
        self.observer = Observer(self.rig, self.conductor, stopped)

    def play(self) -> tuple[Ending, Sequence[Breach]]:
        """The whole run; what was found while it went on ends it."""
        with self._threads():
            try:
                self.conductor.play(self.faults, self.phases.end, self.observer.is_over)
            finally:
                self.conductor.end_all()
            if not self.observer.is_over():
                self._wait(self._is_drained, DRAIN_SECONDS)
                self._wait(self._is_told, STREAM_SECONDS)
        if self.observer.fault is not None:
            raise RuntimeError("the observer failed") from self.observer.fault
        return self._ending(), self.observer.found

    @contextmanager
    def _threads(self) -> Iterator[None]:
        lives = (
            *(self.enqueuer.work, self.cancels.work, self.deletions.work),
            *(self.prober.work, self.watcher.follow, self.observer.work),
        )
        threads = [threading.Thread(target=life, daemon=True) for life in lives]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self.stopped.set()
            for thread in threads:
                thread.join(JOIN_SECONDS)

    def _wait(self, condition: Callable[[], bool], limit: float) -> None:
        """What has not come by then is a breach that the checker finds."""
        end = time.monotonic() + limit
        while time.monotonic() < end and not self.observer.is_over():
            with suppress(psycopg.Error):
                if condition():
                    return
            self.rig.fleet.look()
            time.sleep(0.2)

    def _is_drained(self) -> bool:
        with self.rig.server.control() as session:
            return self.enqueuer.is_done and Audit(session).unfinished() == 0

    def _is_told(self) -> bool:
        with self.rig.server.control() as session:
            items = Audit(session).items()
        believed = {item.id: item.status for item in list(self.watcher.items.values())}
        return all(believed.get(item.id) == item.status for item in items)

    def _ending(self) -> Ending:
        began, phases = self.began_at, self.phases
        with self.rig.server.control() as session:
            audit = Audit(session)
            known = self.observer.read(audit)
            return Ending(
                limits=known.limits,
                changes=known.changes,
                ledger=known.ledger,
                rows=known.rows,
                faults=known.faults,
                exits=known.exits,
                answers=known.answers,
                looks=known.looks,
                noise=known.noise,
                items=audit.items(),
                asked=self.enqueuer.asked,
                cancels=self.cancels.answers,
                streamed=self.watcher.items,
                expected=frozenset(fault.kind for fault in self.faults),
                before=(began + WARM_UP_SECONDS, began + phases.calm),
                after=(began + phases.harm_end, began + phases.end),
            )
