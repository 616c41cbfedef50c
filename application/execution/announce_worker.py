"""Says again and again that this Worker is there, and what it runs; and at last that it stops."""

import logging
from dataclasses import dataclass

from application.execution.keep_lease import KeepLease
from application.ports.worker_register import WorkerIdentity, WorkerRegister
from domain.errors import DatabaseUnavailable

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnounceWorker:
    register: WorkerRegister
    identity: WorkerIdentity
    keep_lease: KeepLease

    def __call__(self) -> None:
        """One sign of life; DatabaseUnavailable."""
        self.register.announce(self.identity, self.keep_lease.item_id())

    def sign_off(self) -> None:
        """The last sign; without it the Worker is missed for a while, and nothing else happens."""
        try:
            self.register.sign_off(self.identity)
        except DatabaseUnavailable as error:
            logger.debug("stopping without a word: %s", error)
