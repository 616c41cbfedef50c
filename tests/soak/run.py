"""`make soak`: a steady load for half an hour; exits 1 where a process holds more and more."""

import argparse
import random
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import Engine, text

from tests.benchmarks.table import Row, at_least, machine, plain, show
from tests.contracts.harness import PostgresPorts
from tests.entrypoints.api.running_host import RunningHost, running_host
from tests.postgres_server import as_role, engine_at, running_server
from tests.process.hosts import Scene, scene
from tests.real_admin import add_admin
from tests.soak.feeder import Feeder
from tests.soak.samples import SESSIONS, Growth, Measure, children_of, growth, taken_of
from tests.soak.streams import StreamCrowd

PASSWORD = "soaked for half an hour"
FEWEST_SAMPLES = 12
DRAIN_SECONDS = 300
# The hosts' own defaults, but for a ledger that nobody reads here.
DEFAULTS = {
    "QUEUE__HEARTBEAT_SECONDS": "2",
    "QUEUE__LEASE_SECONDS": "60",
    "QUEUE__POLL_SECONDS": "2",
    "QUEUE__SCHEDULE_SECONDS": "5",
    "WORKER__SHUTDOWN_GRACE_SECONDS": "8",
    "LEDGER": "/dev/null",
}


@dataclass
class Soak:
    engine: Engine
    stage: Scene
    host: RunningHost
    samples: int = 0
    pids: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    taken: dict[tuple[str, Measure], list[float]] = field(default_factory=lambda: defaultdict(list))

    def sample(self) -> None:
        self.samples += 1
        for name, pid in self._processes():
            self.pids[name].add(pid)
            for measure, value in taken_of(pid).items():
                self.taken[name, measure].append(value)
        for name, sessions in self._sessions().items():
            self.taken[name, SESSIONS].append(sessions)

    def changes(self) -> Iterator[str]:
        """Processes that were not there all the time, or not the same: what they held is hidden."""
        for name, pids in self.pids.items():
            if len(pids) > 1:
                yield f"{name} was started {len(pids)} times"
        for (name, measure), values in self.taken.items():
            if len(values) < self.samples:
                yield f"{name}: {measure.name} in {len(values)} of {self.samples} samples"

    def growths(self) -> list[Growth]:
        return [
            growth(name, measure, values)
            for (name, measure), values in sorted(
                self.taken.items(), key=lambda each: (each[0][1].name, each[0][0])
            )
        ]

    def drain(self) -> None:
        """Wait until nothing is left to do, for a limited time."""
        end = time.monotonic() + DRAIN_SECONDS
        while set(self.counted()) & {"Queued", "Running"} and time.monotonic() < end:
            time.sleep(1)

    def counted(self) -> Mapping[str, int]:
        with self.engine.connect() as connection:
            rows = connection.execute(
                text("SELECT status, count(*) FROM work_items WHERE kind = 'Script' GROUP BY 1")
            )
            return {row[0]: row[1] for row in rows}

    def _processes(self) -> Iterator[tuple[str, int]]:
        yield "API", children_of(self.host.process.pid)[0]
        for number, worker in enumerate(self.stage.workers, 1):
            yield f"Worker {number}", worker.process.pid
            yield from (
                (f"Worker {number}'s runner", pid) for pid in children_of(worker.process.pid)[:1]
            )

    def _sessions(self) -> Mapping[str, int]:
        with self.engine.connect() as connection:
            rows = connection.execute(
                text(
                    "SELECT application_name, count(*) FROM pg_stat_activity"
                    " WHERE application_name LIKE 'anichron-%' GROUP BY 1"
                )
            )
            return {row[0]: row[1] for row in rows}


@contextmanager
def soak(workers: int) -> Iterator[Soak]:
    with (
        tempfile.TemporaryDirectory(prefix="soak-") as name,
        running_server() as server,
    ):
        server.prepare_template()
        with (
            server.database() as address,
            engine_at(address, name="soak") as engine,
            engine_at(as_role(address, "anichron_api"), name="soak") as api,
        ):
            add_admin(engine, "root", PASSWORD)
            ports = PostgresPorts(engine=engine, api=api)
            folder = Path(name)
            longer_than_the_run = {"JWT__ACCESS_MINUTES": "1440"}
            with (
                running_host(address, folder, **longer_than_the_run) as host,
                scene(address, ports, folder) as stage,
            ):
                for _ in range(workers):
                    stage.start(**DEFAULTS)
                yield Soak(engine, stage, host)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=1_800)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--streams", type=int, default=100)
    parser.add_argument("--rate", type=float, default=200, help="items a second, of all Workers")
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))  # noqa: S311
    wanted = parser.parse_args()
    print(machine(), f"seed {wanted.seed}")
    with soak(wanted.workers) as running:
        crowd = StreamCrowd(
            running.host.port,
            running.host.log_in("root", PASSWORD),
            wanted.streams,
            wanted.seed,
        )
        feeder = Feeder(running.stage.ports.queue, wanted.rate)
        crowd.start()
        feeder.start()
        began = time.monotonic()
        pause = min(10, wanted.seconds / FEWEST_SAMPLES)
        while time.monotonic() < began + wanted.seconds:
            time.sleep(pause)
            running.sample()
        seconds = time.monotonic() - began
        done = running.counted().get("Succeeded", 0)
        feeder.stop()
        crowd.stop()
        running.drain()
        rows = [
            plain("seconds", f"{seconds:.0f}"),
            at_least("items done a second", done, done / seconds, 0.99 * wanted.rate),
        ]
        return report(running, crowd, feeder, rows)


def report(running: Soak, crowd: StreamCrowd, feeder: Feeder, rows: list[Row]) -> int:
    """Speed is shown and not judged: machines are shared."""
    growths = running.growths()
    ended = running.counted()
    faults = [f"{each.of}: {each.measure.name}" for each in growths if not each.is_flat]
    faults += running.changes()
    if not crowd.events:
        faults.append("no client was told of an item")
    if ended != {"Succeeded": feeder.asked - feeder.refused}:
        faults.append(f"{feeder.asked - feeder.refused} items were asked for, and ended as {ended}")
    if set(crowd.statuses) != {"200"}:
        faults.append(f"streams were answered {dict(crowd.statuses)}")
    rows += [
        plain("items asked for, refused", f"{feeder.asked}, {feeder.refused}"),
        plain("streams opened", sum(crowd.statuses.values())),
        plain("events read", crowd.events),
    ]
    show([*rows, *map(_row, growths)])
    print(*(f"grows or fails: {fault}" for fault in faults), sep="\n")
    return 1 if faults else 0


def _row(each: Growth) -> Row:
    name = f"{each.of}: {each.measure.name}"
    value = f"{each.first:.1f} to {each.last:.1f} {each.measure.unit} (at most {each.most:.1f})"
    target = f"grows by <= {each.measure.may_grow:g}"
    return Row(
        name, value, f"{each.last - each.first:+.1f}", target, "yes" if each.is_flat else "NO"
    )


if __name__ == "__main__":
    sys.exit(main())
