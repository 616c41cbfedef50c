"""Says again and again that this Worker is there, and what it runs."""

from dataclasses import dataclass

from application.execution.keep_lease import KeepLease
from application.ports.worker_register import WorkerIdentity, WorkerRegister


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnounceWorker:
    register: WorkerRegister
    identity: WorkerIdentity
    keep_lease: KeepLease

    def __call__(self) -> None:
        """One sign of life; DatabaseUnavailable."""
        self.register.announce(self.identity, self.keep_lease.item_id())
