"""What is asked for when: the same requests for the same seed. Pure.

An open loop far below what the Workers can do, so that "recovered" has an exact meaning: what
piled up is done, and as much ends as is asked for.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from tests.chaos.plan import ON_WORKERS, Fault, FaultKind, Phases

RATE = 8.0
BUSY_BEFORE_SECONDS = 0.4
BUSY_ITEMS = 3
"""One more before a freeze, so that it is sure to hit one of four Workers at work."""
BUSY_SECONDS = 1.6
BUSY_AT_FREEZE_SECONDS = 4.0
"""Beyond the lease, and so long that its second run goes on when the Worker of its first thaws."""
TWIN_AFTER_SECONDS = 0.6
KEPT_SCOPES = 4
"""Configs that stay; those that are deleted are numbered behind them."""
STILL_ASKED_SECONDS = 2.0
"""So long after its deletion a config is still asked for."""


class Act(StrEnum):
    """What a handler of the test's kinds does."""

    RETURN = "return"
    WORK = "work"
    IGNORE = "ignore"
    RAISE = "raise"
    DIE_ONCE = "die once"
    DIE = "die"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """`at` is in seconds from the start of the load; `scope` numbers a config."""

    at: float
    act: Act
    seconds: float = 0.0
    scope: int | None = None
    key: str | None = None
    cancel_after: float | None = None

    @property
    def is_long(self) -> bool:
        return self.act in {Act.WORK, Act.IGNORE}


def load(seed: int, phases: Phases, faults: Sequence[Fault]) -> tuple[Request, ...]:
    """All requests in the order of their times."""
    random = Random(f"{seed} load")  # noqa: S311
    deletions = [fault.at for fault in faults if fault.kind is FaultKind.DELETION]
    steady = [
        _request(random, number / RATE, deletions) for number in range(round(phases.end * RATE))
    ]
    return tuple(sorted([*steady, *_busy(faults)], key=lambda request: request.at))


def _request(random: Random, at: float, deletions: Sequence[float]) -> Request:
    act, seconds = _act(random)
    scope = _scope(random, at, deletions)
    key = f"{scope}:{random.randrange(3)}" if random.random() < 0.12 else None
    is_cancelled = random.random() < (0.4 if act is Act.WORK else 0.04)
    cancel_after = random.uniform(0.0, 1.0) if is_cancelled else None
    return Request(at=at, act=act, seconds=seconds, scope=scope, key=key, cancel_after=cancel_after)


def _act(random: Random) -> tuple[Act, float]:
    drawn = random.random()
    if drawn < 0.04:
        return Act.WORK, random.uniform(0.5, 2.5)
    if drawn < 0.05:
        return Act.IGNORE, random.uniform(0.3, 1.5)
    if drawn < 0.07:
        return Act.RAISE, 0.0
    if drawn < 0.074:
        return Act.DIE_ONCE, 0.0
    if drawn < 0.077:
        return Act.DIE, 0.0
    return Act.RETURN, 0.0


def _scope(random: Random, at: float, deletions: Sequence[float]) -> int | None:
    drawn = random.random()
    if drawn < 0.3:
        return None
    if drawn < 0.5:
        for number, deletion in enumerate(deletions):
            if at < deletion + STILL_ASKED_SECONDS:
                return KEPT_SCOPES + number
    return random.randrange(KEPT_SCOPES)


def _busy(faults: Sequence[Fault]) -> Iterator[Request]:
    """Long items right before each fault of a Worker, and a twin of each while it runs or waits.

    So a Worker has something to lose, and what is lost may meet a queued twin.
    """
    for number, fault in enumerate(fault for fault in faults if fault.kind in ON_WORKERS):
        is_freeze = fault.kind is FaultKind.FREEZE
        seconds = BUSY_AT_FREEZE_SECONDS if is_freeze else BUSY_SECONDS
        at = fault.at - BUSY_BEFORE_SECONDS
        for place in range(BUSY_ITEMS + is_freeze):
            key = f"busy {number}:{place}"
            # One that writes rows learns by them that it is fenced off; one that doesn't succeeds.
            act = Act.IGNORE if is_freeze and place else Act.WORK
            yield Request(at=at, act=act, seconds=seconds, key=key)
            yield Request(at=at + TWIN_AFTER_SECONDS, act=Act.RETURN, key=key)
