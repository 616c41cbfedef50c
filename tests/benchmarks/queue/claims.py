"""How long one claim takes, whatever else lies in the table."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import inf
from uuid import UUID

from uuid_utils.compat import uuid7

from application.ports.work_item_execution import ClaimRequest, Serves
from application.ports.work_queue import NewWorkItem
from domain.work.item import WorkItem
from domain.work.outcome import Succeeded
from domain.work.progress import NO_PROGRESS
from tests.benchmarks.queue.figures import Figure, at_most, median, percentile, plain, timed_answer
from tests.benchmarks.queue.population import add_backlog, add_history, add_scopes
from tests.benchmarks.queue.rig import Rig, rig
from tests.postgres_server import TestServer

LEASE = timedelta(seconds=60)
KINDS = ("Crawl", "TokenCleanup", "WorkItemRetention")
ROUNDS = 5
A_ROUND = 300


@dataclass
class Claims:
    """Claims of one Worker in one database."""

    rig: Rig
    serves: Serves
    scope: UUID | None = None

    def round(self, claims: int = A_ROUND, a_second: float = inf) -> float:
        """The p99 in ms of so many claims, each of an item that was just asked for."""
        ports = self.rig.ports
        taken = []
        began = time.monotonic()
        for number in range(claims):
            time.sleep(max(0, began + number / a_second - time.monotonic()))
            ports.queue.enqueue(
                NewWorkItem(
                    id=uuid7(),
                    kind="Crawl",
                    payload={"kind": "Crawl"},
                    storage_config_id=self.scope,
                )
            )
            milliseconds, item = timed_answer(self._claim)
            assert item is not None, "nothing to do, although an item waits"
            taken.append(milliseconds)
            ports.execution.finish(item.tag(), Succeeded({}), NO_PROGRESS)
        return percentile(taken, 0.99)

    def _claim(self) -> WorkItem | None:
        return self.rig.ports.execution.claim(
            ClaimRequest(serves=self.serves, kinds=KINDS, worker="bench", lease=LEASE)
        )


def interleaved(*each: Claims, rounds: int = ROUNDS) -> list[float]:
    """The median p99 of each, measured in turns."""
    found: list[list[float]] = [[] for _ in each]
    for claims in each:
        claims.round(50)  # prepared, cached
    for _ in range(rounds):
        for claims, p99s in zip(each, found, strict=True):
            p99s.append(claims.round())
    return [median(p99s) for p99s in found]


@dataclass(frozen=True)
class Household:
    """A database with one user, some folders of theirs, and somebody else with another."""

    rig: Rig
    user: UUID
    scopes: list[UUID]
    stranger: UUID

    def claims(self) -> Claims:
        return Claims(self.rig, Serves(user_id=self.user), self.scopes[0])


def household(rig: Rig, scopes: int) -> Household:
    user, other = rig.ports.add_user(), rig.ports.add_user()
    return Household(rig, user, add_scopes(rig, user, scopes), add_scopes(rig, other, 1)[0])


def behind_history(server: TestServer, millions: Sequence[int]) -> list[Figure]:
    """Finished items in the same table."""
    figures = []
    with rig(server) as empty, rig(server) as full:
        quiet, crowded = household(empty, 1), household(full, 1)
        there = 0
        for million in millions:
            add_history(full, (million - there) * 1_000_000, days_ago=20 - there)
            there = million
            full.settle()
            p99 = interleaved(quiet.claims(), crowded.claims())
            name = f"claim p99 with {million} M finished items"
            figures += _compared(name, p99, 1.5)
    return figures


def behind_strangers(server: TestServer, millions: int, scopes: Sequence[int]) -> list[Figure]:
    """Queued items of other scopes, all asked for before ours."""
    figures = []
    for count in scopes:
        with rig(server) as empty, rig(server) as full:
            quiet, crowded = household(empty, count), household(full, count)
            add_backlog(full, millions * 1_000_000, crowded.stranger)
            full.settle()
            p99 = interleaved(quiet.claims(), crowded.claims())
            name = f"claim p99, {millions} M foreign items in front, {count} scopes"
            if count <= 10:
                figures += _compared(name, p99, 2)
            else:
                figures.append(plain(name.replace("claim p99", "empty table beside"), p99[0], "ms"))
                figures.append(at_most(name, p99[1], "ms", p99[1], 10))
    return figures


def behind_unknown_kinds(server: TestServer, millions: int) -> list[Figure]:
    """Queued items that no Worker knows, as a rollback leaves them."""
    with rig(server) as empty, rig(server) as full:
        quiet, crowded = household(empty, 1), household(full, 1)
        add_backlog(full, millions * 1_000_000, crowded.scopes[0], kind="OfTheNextRelease")
        full.settle()
        p99 = interleaved(quiet.claims(), crowded.claims())
        return _compared(f"claim p99, {millions} M items of an unknown kind in front", p99, 2)


def _compared(name: str, p99: Sequence[float], limit: float) -> list[Figure]:
    empty, full = p99
    return [
        plain(f"{name.replace('claim p99', 'empty table beside', 1)}", empty, "ms"),
        at_most(name, full, "ms", full / empty, limit),
    ]
