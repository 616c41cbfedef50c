"""The primary is lost and its replica promoted, while everybody works."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from adapters.postgres.users import PostgresUsers
from adapters.security.password_hasher import Argon2PasswordHasher
from application.ports.users import NewUser
from application.ports.work_queue import NewWorkItem
from domain.errors import DatabaseUnavailable
from domain.work.status import WorkStatus
from tests.contracts.harness import PostgresPorts
from tests.entrypoints.api.running_host import RunningHost, running_host
from tests.postgres_server import engine_at
from tests.process.hosts import Scene, eventually, scene
from tests.process.replicated import replicated_servers

pytestmark = [pytest.mark.process]
PASSWORD = "root's password"
LONGEST_ANSWER_SECONDS = 12  # connect, pool and statement have 5 s each, and a request waits once


@dataclass
class Answers:
    """What the API said to a client that asks ten times a second."""

    host: RunningHost
    token: str
    given: list[tuple[int, str | None, float]] = field(default_factory=list)

    def ask(self) -> None:
        began = time.monotonic()
        with closing(self.host.connect()) as connection:
            headers = {"Authorization": f"Bearer {self.token}"}
            connection.request("GET", "/api/v1/admin/work-items", headers=headers)
            response = connection.getresponse()
            response.read()
        took = time.monotonic() - began
        self.given.append((response.status, response.headers["Retry-After"], took))
        time.sleep(0.1)

    @property
    def newest(self) -> int:
        return self.given[-1][0] if self.given else 0


@dataclass
class Enqueuer:
    """Asks for work twenty times a second, and notes what was confirmed."""

    stage: Scene
    confirmed: list[UUID] = field(default_factory=list)
    refused: int = 0

    def ask(self) -> None:
        item = NewWorkItem(
            id=uuid4(), kind="Script", payload={"kind": "Script", "act": "return", "seconds": 0}
        )
        try:
            self.stage.ports.queue.enqueue(item)
        except DatabaseUnavailable:
            self.refused += 1
        else:
            self.confirmed.append(item.id)
        time.sleep(0.05)


@contextmanager
def repeatedly(*steps: Callable[[], None]) -> Iterator[None]:
    """Each step again and again in a thread of its own; what one raises fails the test."""
    done, faults = threading.Event(), list[BaseException]()

    def go(step: Callable[[], None]) -> None:
        try:
            while not done.is_set():
                step()
        except BaseException as fault:  # noqa: BLE001  # told below
            faults.append(fault)

    threads = [threading.Thread(target=go, args=[step], daemon=True) for step in steps]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        done.set()
        for thread in threads:
            thread.join(30)
    assert faults == []


@pytest.mark.timeout(240)
def test_hosts_go_on_with_a_promoted_replica_and_nothing_is_lost(tmp_path: Path) -> None:
    with replicated_servers() as servers, engine_at(servers.address) as engine:
        users = PostgresUsers(engine=engine)
        password_hash = Argon2PasswordHasher().hash(PASSWORD)
        users.add(NewUser(name="root", email="root@x", password_hash=password_hash, is_admin=True))
        with (
            running_host(servers.address, tmp_path) as host,
            scene(servers.address, PostgresPorts(engine=engine), tmp_path) as stage,
        ):
            workers = [stage.start() for _ in range(2)]
            answers = Answers(host, host.log_in("root", PASSWORD))
            enqueuer = Enqueuer(stage)
            with repeatedly(answers.ask, enqueuer.ask):
                eventually(lambda: len(stage.ledger) > 40 and answers.newest == HTTPStatus.OK)
                servers.lose_primary()
                eventually(lambda: answers.newest == HTTPStatus.SERVICE_UNAVAILABLE)
                time.sleep(4)  # longer than a lease
                servers.promote_replica()
                begun = len(stage.ledger)
                eventually(lambda: len(stage.ledger) > begun + 40, 30)
                eventually(lambda: answers.newest == HTTPStatus.OK)

            for item_id in enqueuer.confirmed:
                stage.until(item_id, WorkStatus.SUCCEEDED, 30)
            assert enqueuer.refused > 0
            assert [worker.process.poll() for worker in workers] == [None, None]
            assert {status for status, _, _ in answers.given} == {200, 503}
            assert {retry for status, retry, _ in answers.given if status == 503} == {"2"}
            assert max(seconds for _, _, seconds in answers.given) < LONGEST_ANSWER_SECONDS
            assert "Traceback" not in host.log.read_text()
