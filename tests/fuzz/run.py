"""`make fuzz`: damaged files against everything that a file meets on its way into the library."""

import argparse
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from threading import Lock

from domain.library.media_type import MediaFormat
from tests.fuzz.mutations import Mutant, mutant
from tests.fuzz.pool import Pool, digest, whole_files
from tests.fuzz.probe import Probe, Told

SEEDS = 2**32
MOST_FINDINGS = 20


@dataclass
class Campaign:
    """Files of consecutive seeds, until the time is up or enough is found.

    What is found is kept in `folder`.
    """

    pool: Pool
    folder: Path
    seeds: Iterator[int]
    only: Collection[str] = ()
    """Formats; all where it is empty."""
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    found: list[str] = field(default_factory=list)
    _turn: Lock = field(default_factory=Lock)

    def run_until(self, end: float) -> None:
        probe = Probe()
        try:
            while time.monotonic() < end and len(self.found) < MOST_FINDINGS:
                with self._turn:
                    seed = next(self.seeds)
                made = mutant(seed, self.pool)
                if not self.only or made.media_format in self.only:
                    self.try_one(made, probe)
        finally:
            probe.close()

    def try_one(self, made: Mutant, probe: Probe) -> None:
        path = self.folder / f"{made.seed}{Path(made.made_of).suffix.lower()}"
        path.write_bytes(made.content)
        told = probe(path)
        if told.is_about_time:
            told = probe(path)
        with self._turn:
            self._note(made, told, path)
        if not told.is_finding:
            path.unlink()

    def _note(self, made: Mutant, told: Told, path: Path) -> None:
        outcome = "FINDING" if told.is_finding else told.outcome
        self.counts.setdefault(made.media_format, Counter())[outcome] += 1
        if told.is_finding:
            self.found.append(
                f"FINDING seed {made.seed} ({made.made_of}), kept as {path}:\n{told.outcome}"
            )


def main() -> int:
    wanted = _arguments()
    # A mutant is only as repeatable as what it is made of.
    pool = whole_files()
    files = sum(len(each) for each in pool.values())
    print(f"{files} files of {len(pool)} formats, pool {digest(pool)}, first seed {wanted.seed}")
    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    campaign = Campaign(pool, folder, count(wanted.seed), wanted.only)
    if wanted.one:
        _one(campaign, wanted.seed)
    else:
        end = time.monotonic() + wanted.seconds
        with ThreadPoolExecutor(wanted.processes) as threads:
            list(threads.map(campaign.run_until, [end] * wanted.processes))
    _show(campaign)
    if campaign.found:
        return 1
    if not any(folder.iterdir()):
        folder.rmdir()
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=random.randrange(SEEDS))  # noqa: S311
    parser.add_argument(
        "--only", nargs="*", default=(), choices=list(MediaFormat), metavar="FORMAT"
    )
    parser.add_argument("--one", action="store_true", help="only the file of --seed, which is kept")
    return parser.parse_args()


def _one(campaign: Campaign, seed: int) -> None:
    made = mutant(seed, campaign.pool)
    kept = campaign.folder / f"seed-{seed}-{made.made_of}"
    kept.write_bytes(made.content)
    print(f"the file is {kept}")
    probe = Probe()
    campaign.try_one(made, probe)
    probe.close()


def _show(campaign: Campaign) -> None:
    for media_format, outcomes in sorted(campaign.counts.items()):
        counted = ", ".join(f"{number} {outcome}" for outcome, number in outcomes.most_common())
        print(f"{media_format:10} {outcomes.total():6}  {counted}")
    total = sum(outcomes.total() for outcomes in campaign.counts.values())
    # Last, so that the end of a long log has them.
    print(*campaign.found, sep="\n")
    print(f"{total} files of pool {digest(campaign.pool)}, {len(campaign.found)} findings")


if __name__ == "__main__":
    sys.exit(main())
