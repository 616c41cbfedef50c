"""`make chaos`: the hosts and PostgreSQL under a seeded plan of faults, and what they promise."""

import argparse
import random
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from tests.chaos.campaign import Campaign
from tests.chaos.checker import breaches_at_end
from tests.chaos.faketime import find_faketime
from tests.chaos.history import Breach, Ending
from tests.chaos.load import load
from tests.chaos.plan import LEAST_SECONDS, FaultKind, phases_of, plan
from tests.chaos.rig import LIMITS, remove, running_rig
from tests.chaos.table import table, told

SEEDS = 2**32
OVERTIME_SECONDS = 45.0
"""Beyond its time a run is a failure, and is ended."""


def main() -> int:
    wanted = _arguments()
    kinds = {FaultKind[name] for name in wanted.faults}
    faketime = find_faketime()
    if faketime is None and FaultKind.CLOCK in kinds:
        others = " ".join(name for name in FaultKind.__members__ if name != FaultKind.CLOCK.name)
        print(f"libfaketime is missing: install the package faketime, or --faults {others}")
        return 2
    _end_in_time(wanted.seconds + OVERTIME_SECONDS)
    phases = phases_of(wanted.seconds)
    faults = plan(wanted.seed, phases, workers=wanted.workers, lease=LIMITS.lease, kinds=kinds)
    requests = load(wanted.seed, phases, faults)
    print(f"seed {wanted.seed}: {len(faults)} faults, {len(requests)} requests", flush=True)
    folder = Path(tempfile.mkdtemp(prefix="chaos-"))
    configs = sum(1 for fault in faults if fault.kind is FaultKind.DELETION)
    began = time.monotonic()
    try:
        with running_rig(folder, workers=wanted.workers, configs=configs, faketime=faketime) as rig:
            ending, found = Campaign(rig, phases, faults, requests).play()
    except KeyboardInterrupt as reason:
        print(f"interrupted ({reason}) after {time.monotonic() - began:.0f} s; logs in {folder}")
        return 130
    signal.setitimer(signal.ITIMER_REAL, 0)
    return _verdict(ending, found or breaches_at_end(ending), wanted, folder, began)


def _verdict(
    ending: Ending,
    found: Sequence[Breach],
    wanted: argparse.Namespace,
    folder: Path,
    began: float,
) -> int:
    print(table(ending))
    took = time.monotonic() - began
    if not found:
        print(f"no breach in {took:.0f} s; seed {wanted.seed}")
        if wanted.keep:
            print(f"logs in {folder}")
        else:
            remove(folder)
        return 0
    for breach in found:
        print(told(breach, ending.changes))
    again = f"--seed {wanted.seed} --seconds {wanted.seconds:g} --workers {wanted.workers}"
    print(f"{len(found)} breaches after {took:.0f} s; logs in {folder}; again with {again}")
    return 1


def _end_in_time(seconds: float) -> None:
    """However it hangs, and when it is told to, it ends and takes along what it started."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, partial(_interrupt, "told to end"))
    signal.signal(signal.SIGALRM, partial(_interrupt, "took too long"))
    signal.setitimer(signal.ITIMER_REAL, seconds, 10)


def _interrupt(why: str, _number: int, _frame: object) -> None:
    raise KeyboardInterrupt(why)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=300, help="for all of it")
    parser.add_argument("--seed", type=int, default=random.randrange(SEEDS))  # noqa: S311
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--keep", action="store_true", help="the logs, also where nothing is wrong")
    parser.add_argument(
        "--faults",
        nargs="*",
        default=list(FaultKind.__members__),
        choices=list(FaultKind.__members__),
        metavar="FAULT",
        help="only these: " + ", ".join(FaultKind.__members__),
    )
    wanted = parser.parse_args()
    if wanted.seconds < LEAST_SECONDS:
        parser.error(f"--seconds must be at least {LEAST_SECONDS:g}")
    if wanted.workers < 2:
        parser.error("--workers must be at least 2")
    return wanted


if __name__ == "__main__":
    sys.exit(main())
