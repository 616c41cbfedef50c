"""A Worker says that it is there, and what it runs."""

from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID

from typing_extensions import override

from application.execution.announce_worker import AnnounceWorker
from application.execution.keep_lease import KeepLease
from application.ports.worker_register import WorkerIdentity, WorkerRegister
from domain.work.attempt import AttemptTag
from tests.contracts.harness import InMemoryPorts
from tests.fakes.execution import HandMovedStopwatch, ScriptedInbox, ScriptedRunner

WHO = WorkerIdentity(id=UUID(int=1), name="all@nas", user_id=None, host="nas", version="1")
TAG = AttemptTag(item_id=UUID(int=7), attempt=2)


@dataclass
class Noted(WorkerRegister):
    said: list[tuple[WorkerIdentity, UUID | None]] = field(default_factory=list)

    @override
    def announce(self, who: WorkerIdentity, item_id: UUID | None) -> None:
        self.said.append((who, item_id))


def test_it_tells_the_item_whose_lease_it_keeps() -> None:
    stopwatch, register = HandMovedStopwatch(), Noted()
    keep_lease = KeepLease(
        execution=InMemoryPorts().execution,
        runner=ScriptedRunner(stopwatch),
        stopwatch=stopwatch,
        inbox=ScriptedInbox(stopwatch),
        lease=timedelta(seconds=60),
    )
    announce = AnnounceWorker(register=register, identity=WHO, keep_lease=keep_lease)
    announce()
    keep_lease.begin(TAG, 0)
    announce()
    keep_lease.end()
    announce()
    assert register.said == [(WHO, None), (WHO, TAG.item_id), (WHO, None)]
