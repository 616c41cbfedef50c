"""Reads the evidence while the run goes on, and stops the run at the first breach."""

import contextlib
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import psycopg

from tests.chaos.audit import Audit
from tests.chaos.checker import breaches_so_far
from tests.chaos.conductor import Conductor
from tests.chaos.history import Breach, History, LeaseLook
from tests.chaos.noise import host_noise, server_noise
from tests.chaos.rig import LIMITS, Rig

LOOK_EVERY_SECONDS = 1.0
CHECK_EVERY_LOOKS = 6
ORDER_BEHIND_SECONDS = 15.0
"""Longer than any transaction of a claim may stay open, a freeze of the server included."""


@dataclass
class Observer:
    rig: Rig
    conductor: Conductor
    stopped: threading.Event
    looks: list[LeaseLook] = field(default_factory=list)
    found: Sequence[Breach] = ()
    fault: BaseException | None = None
    """What ended the observer itself, if anything did."""

    def work(self) -> None:
        """Until it is told to stop or finds something; a thread's whole life."""
        try:
            number = 0
            while not self.found and not self.stopped.wait(LOOK_EVERY_SECONDS):
                number += 1
                # The server is away at times: then there is nothing to be seen.
                with contextlib.suppress(psycopg.Error), self.rig.server.control() as session:
                    self._look(Audit(session), is_check=number % CHECK_EVERY_LOOKS == 0)
        except BaseException as error:
            self.fault = error
            raise

    def is_over(self) -> bool:
        return bool(self.found) or self.fault is not None

    def _look(self, audit: Audit, *, is_check: bool) -> None:
        self.looks.append(audit.look())
        if is_check:
            history = self.read(audit)
            history.order_until = time.time() - ORDER_BEHIND_SECONDS
            self.found = breaches_so_far(history)

    def read(self, audit: Audit) -> History:
        """What is known by now. A run is noted after its claim, and a death before its stall."""
        newest = self.rig.witness.last_line()
        rows = audit.result_rows()
        changes = audit.changes()
        lines = self.rig.witness.lines()
        return History(
            limits=LIMITS,
            changes=changes,
            ledger=[line for line in lines if line.line <= newest or line.event != "begin"],
            rows=rows,
            faults=list(self.conductor.records),
            exits=list(self.rig.fleet.exits),
            answers=list(self.rig.api.answers),
            looks=list(self.looks),
            noise=[*server_noise(self.rig.server.log), *host_noise(self.rig.fleet.folder)],
        )
