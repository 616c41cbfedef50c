"""What goes wrong when: the same list for the same seed. Pure; no clock, no process.

Faults come in lanes that go on beside each other. Within a lane they follow one another, so that
the server never has two at once and no Worker is hit while it is down; a lane has each of its
kinds once before it has one twice.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from random import Random


class FaultKind(StrEnum):
    KILL = "SIGKILL of a Worker"
    FREEZE = "SIGSTOP of a Worker beyond its lease"
    STOP = "SIGTERM to a Worker"
    CLOCK = "a Worker's clock 10 minutes off"
    BACKENDS = "backends killed, 2 a second"
    RESTART = "PostgreSQL away for 20 s"
    SILENCE = "SIGSTOP of PostgreSQL"
    READ_ONLY = "default_transaction_read_only"
    EXHAUSTION = "no session left"
    CANCELS = "a burst of cancels"
    DELETION = "a config deleted"
    API_KILL = "SIGKILL of the API"
    API_STOP = "SIGTERM to the API"


ON_WORKERS = frozenset({FaultKind.KILL, FaultKind.FREEZE, FaultKind.STOP, FaultKind.CLOCK})


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """`at` is in seconds from the start of the load; `target` numbers a Worker or a config."""

    at: float
    kind: FaultKind
    seconds: float
    """How long it lasts; for what is killed: until it is started again."""
    target: int = 0
    variant: bool = False
    """One of two ways, where the kind has two."""

    @property
    def until(self) -> float:
        return self.at + self.seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Phases:
    """When the load is watched, harmed, left to recover, and watched again; seconds."""

    calm: float
    harm: float
    settle: float
    after: float

    @property
    def harm_end(self) -> float:
        return self.calm + self.harm

    @property
    def after_begin(self) -> float:
        return self.harm_end + self.settle

    @property
    def end(self) -> float:
        return self.after_begin + self.after


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lane:
    durations: dict[FaultKind, tuple[float, float]]
    gap: tuple[float, float]
    targets: range


# Starting the hosts, the last items of the load, the last checks.
AROUND_THE_LOAD_SECONDS = 25.0
LEAST_SECONDS = 90.0


def phases_of(seconds: float) -> Phases:
    """The phases of a run that takes so long in all."""
    calm = min(20.0, max(8.0, seconds / 15))
    settle = min(16.0, max(12.0, seconds / 15))
    harm = seconds - AROUND_THE_LOAD_SECONDS - 2 * calm - settle
    return Phases(calm=calm, harm=harm, settle=settle, after=calm)


def plan(
    seed: int, phases: Phases, *, workers: int, lease: float, kinds: Collection[FaultKind]
) -> tuple[Fault, ...]:
    """The faults in the order of their beginnings; all have ended when the harm ends."""
    found = [
        fault
        for number, lane in enumerate(_lanes(workers, lease))
        for fault in _lane_faults(Random(f"{seed} lane {number}"), lane, phases, kinds)  # noqa: S311
    ]
    return tuple(sorted(_numbered(found), key=lambda fault: (fault.at, fault.kind)))


def _lanes(workers: int, lease: float) -> list[_Lane]:
    on_workers = {
        FaultKind.KILL: (1.0, 3.0),
        FaultKind.FREEZE: (1.1 * lease, 2 * lease),
        FaultKind.STOP: (4.0, 6.0),
    }
    on_server = {
        FaultKind.RESTART: (20.0, 20.0),
        FaultKind.SILENCE: (4.0 * lease, 5.0 * lease),
        FaultKind.READ_ONLY: (4.0, 8.0),
        FaultKind.EXHAUSTION: (4.0, 8.0),
        FaultKind.BACKENDS: (10.0, 14.0),
    }
    on_api = {FaultKind.API_KILL: (0.0, 0.0), FaultKind.API_STOP: (0.0, 0.0)}
    requests = {FaultKind.CANCELS: (0.0, 0.0), FaultKind.DELETION: (0.0, 0.0)}
    nobody = range(1)
    return [
        _Lane(durations=on_server, gap=(8.0, 13.0), targets=nobody),
        _Lane(durations=on_workers, gap=(5.0, 11.0), targets=range(0, workers, 2)),
        # Only every second Worker's clock can be moved: the library that does it is a risk too.
        _Lane(
            durations={**on_workers, FaultKind.CLOCK: (8.0, 15.0)},
            gap=(5.0, 11.0),
            targets=range(1, workers, 2),
        ),
        _Lane(durations=on_api, gap=(25.0, 40.0), targets=nobody),
        _Lane(durations=requests, gap=(7.0, 14.0), targets=nobody),
    ]


def _lane_faults(
    random: Random, lane: _Lane, phases: Phases, kinds: Collection[FaultKind]
) -> Iterator[Fault]:
    wanted = [kind for kind in lane.durations if kind in kinds]
    if not wanted or not lane.targets:
        return
    at = phases.calm + random.uniform(0, lane.gap[0] / 2)
    while True:
        for kind in random.sample(wanted, len(wanted)):
            seconds = random.uniform(*lane.durations[kind])
            if at + seconds > phases.harm_end:
                return
            target = random.choice(lane.targets)
            variant = random.random() < 0.5
            yield Fault(at=at, kind=kind, seconds=seconds, target=target, variant=variant)
            at += seconds + random.uniform(*lane.gap)


def _numbered(faults: list[Fault]) -> Iterator[Fault]:
    """Each deletion has a config of its own."""
    number = 0
    for fault in sorted(faults, key=lambda fault: fault.at):
        if fault.kind is not FaultKind.DELETION:
            yield fault
            continue
        yield Fault(at=fault.at, kind=fault.kind, seconds=fault.seconds, target=number)
        number += 1
