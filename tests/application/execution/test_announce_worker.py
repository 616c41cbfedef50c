"""A Worker says that it is there, and what it runs."""

import logging
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID

import pytest
from typing_extensions import override

from application.execution.announce_worker import AnnounceWorker
from application.execution.keep_lease import KeepLease
from application.ports.worker_register import WorkerIdentity, WorkerRegister
from domain.errors import DatabaseUnavailable
from domain.work.attempt import AttemptTag
from tests.contracts.harness import InMemoryPorts
from tests.fakes.execution import HandMovedStopwatch, ScriptedInbox, ScriptedRunner

WHO = WorkerIdentity(id=UUID(int=1), name="all@nas", user_id=None, host="nas", version="1")
TAG = AttemptTag(item_id=UUID(int=7), attempt=2)


@dataclass
class Noted(WorkerRegister):
    said: list[tuple[WorkerIdentity, UUID | None]] = field(default_factory=list)
    ended: list[WorkerIdentity] = field(default_factory=list)
    is_away: bool = False

    @override
    def announce(self, who: WorkerIdentity, item_id: UUID | None) -> None:
        self.said.append((who, item_id))

    @override
    def sign_off(self, who: WorkerIdentity) -> None:
        if self.is_away:
            raise DatabaseUnavailable("away")
        self.ended.append(who)


def announcing(register: Noted) -> AnnounceWorker:
    stopwatch = HandMovedStopwatch()
    keep_lease = KeepLease(
        execution=InMemoryPorts().execution,
        runner=ScriptedRunner(stopwatch),
        stopwatch=stopwatch,
        inbox=ScriptedInbox(stopwatch),
        lease=timedelta(seconds=60),
    )
    return AnnounceWorker(register=register, identity=WHO, keep_lease=keep_lease)


def test_it_tells_the_item_whose_lease_it_keeps() -> None:
    register = Noted()
    announce = announcing(register)
    announce()
    announce.keep_lease.begin(TAG, 0)
    announce()
    announce.keep_lease.end()
    announce()
    assert register.said == [(WHO, None), (WHO, TAG.item_id), (WHO, None)]


def test_it_stops_with_a_word_where_that_can_be_said(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    register = Noted()
    announcing(register).sign_off()
    assert register.ended == [WHO]
    register.is_away = True
    announcing(register).sign_off()
    assert [each.getMessage() for each in caplog.records] == ["stopping without a word: away"]
