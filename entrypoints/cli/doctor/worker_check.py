"""Looks at who works: the Workers that say so, and whether each active folder has one."""

from collections.abc import Sequence
from datetime import timedelta

from application.ports.worker_directory import SeenWorker, WorkersSeen
from domain.library.storage_config import StorageConfig
from entrypoints.cli.doctor.finding import Check, Finding, ok, wrong

LEAST_SILENCE = timedelta(seconds=30)
MISSED_POLLS = 3
MOST_NAMED = 3


def longest_silence(poll: timedelta) -> timedelta:
    """After so long without a word a Worker is taken for gone."""
    return max(LEAST_SILENCE, MISSED_POLLS * poll)


def worker(
    seen: WorkersSeen, silence: timedelta, active: Sequence[StorageConfig], lapsed: int
) -> Finding:
    """Whether some Worker lives, wherever it runs, and somebody serves each active folder."""
    alive = [
        each
        for each in seen.workers
        if each.stopped_at is None and seen.server_time - each.seen_at < silence
    ]
    if not alive:
        return _nobody(seen, lapsed)
    left_out = [config.root_path for config in active if not _is_served(config, alive)]
    names = ", ".join(sorted(each.identity.name for each in alive))
    if not left_out:
        return ok(Check.WORKER, f"{len(alive)} there: {names}")
    more = f" and {len(left_out) - MOST_NAMED} more" if len(left_out) > MOST_NAMED else ""
    folders = ", ".join(left_out[:MOST_NAMED])
    advice = "start one for everyone, or with WORKER__USER set to the folder's owner"
    return wrong(Check.WORKER, f"there: {names}; nobody serves {folders}{more}", advice)


def _is_served(config: StorageConfig, alive: Sequence[SeenWorker]) -> bool:
    return any(each.identity.user_id in {None, config.user_id} for each in alive)


def _nobody(seen: WorkersSeen, lapsed: int) -> Finding:
    said = "no Worker was ever seen"
    if seen.workers:
        last = seen.workers[0]
        seconds = (seen.server_time - last.seen_at).total_seconds()
        word = "was seen" if last.stopped_at is None else "stopped"
        said = f"no Worker is there; {last.identity.name} {word} {seconds:.0f} s ago"
    if lapsed:
        said += f"; items left running: {lapsed}"
    return wrong(Check.WORKER, said, "start one: `anichron worker`, or the service that runs it")
