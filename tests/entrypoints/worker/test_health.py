"""Which Worker is alive, and which is ready."""

from adapters.runner_process.ear import DescriptorEar
from application.execution.inbox import Inbox
from entrypoints.worker.health import WorkerHealth
from entrypoints.worker.loops import Loop
from entrypoints.worker.pulse import ListeningInbox, Pulse


class Stage:
    def __init__(self) -> None:
        self.seconds = 0.0
        self.database: str | None = None
        self.main = Pulse(now=lambda: self.seconds)
        self.heartbeat = Pulse(now=lambda: self.seconds)
        loop = Loop(
            name="heartbeat", step=lambda: None, seconds=2, inbox=Inbox(), pulse=self.heartbeat
        )
        self.health = WorkerHealth(
            main=self.main,
            loops=(loop,),
            stuck_seconds=60,
            runner_start_seconds=30,
            why_not_ready=lambda: self.database,
        )


def test_before_all_loops_turn_it_is_alive_and_not_ready() -> None:
    stage = Stage()
    assert (stage.health.alive(), stage.health.ready()) == (None, "starting")
    stage.main.beat()
    assert stage.health.ready() == "starting"
    stage.heartbeat.beat()
    assert stage.health.ready() is None


def test_a_loop_is_stuck_when_it_is_over_its_own_pause_and_the_limit() -> None:
    stage = Stage()
    stage.main.beat()
    stage.heartbeat.beat()
    stage.seconds = 62
    assert stage.health.alive() is None
    stage.seconds = 62.1
    assert stage.health.alive() == stage.health.ready() == "stuck: heartbeat"
    stage.seconds = 90.1
    assert stage.health.alive() == "stuck: main, heartbeat"
    stage.main.beat()
    stage.heartbeat.beat()
    assert stage.health.ready() is None


def test_without_its_database_it_is_alive_and_not_ready() -> None:
    stage = Stage()
    stage.main.beat()
    stage.heartbeat.beat()
    stage.database = "the database did not answer"
    assert stage.health.alive() is None
    assert stage.health.ready() == "the database did not answer"


def test_a_look_into_the_inbox_is_a_beat_of_the_main_loop() -> None:
    now = [5.0]
    pulse = Pulse(now=lambda: now[0])
    inbox = ListeningInbox(DescriptorEar(), pulse)
    assert pulse.silent_for() is None
    assert inbox.next(0) is None
    now[0] = 7.5
    assert pulse.silent_for() == 2.5
